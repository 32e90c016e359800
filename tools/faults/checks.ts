import { transactionTransitions } from "@/lib/domain/payment-order";
import type { BookedPayment, Books } from "./books";
import { type Answer, type Journal, paymentOf, type Sighting } from "./journal";

/** Yields a sentence for each fault it finds. */
type Check = (journal: Journal, books: Books) => readonly string[];

/** What must never happen, whatever breaks at whatever moment. */
export const checks = {
  "acknowledged payments lost": ({ answers }, { payments }) => {
    const kept = new Set(payments.map(({ id }) => id));
    const acknowledged = new Set(answers.flatMap((answer) => paymentOf(answer) ?? []));
    return [...acknowledged].filter((id) => !kept.has(id)).map((id) => `${id} is not there`);
  },

  "payments started twice": (_journal, { payments }) =>
    [...grouped(payments, ({ requestId }) => requestId)]
      .filter(([, ofOne]) => ofOne.length > 1)
      .map(([requestId, ofOne]) => `${ofOne.length} payments for request ${requestId}`),

  "payments nobody asked for": ({ asked }, { payments }) => {
    const orders = new Map(asked.map((order) => [order.requestId, order]));
    const isAsked = ({ requestId, amount, currency }: BookedPayment) => {
      const order = orders.get(requestId);
      return order?.currency === currency && order.amounts.includes(amount);
    };
    return payments.filter((one) => !isAsked(one)).map(({ id }) => `${id} was not asked for`);
  },

  "money not moved exactly once": (_journal, { payments, moves }) => {
    const ofRequest = grouped(moves, ({ requestId }) => requestId);
    const known = new Set(payments.map(({ requestId }) => requestId));
    const unfit = payments.flatMap((payment) => {
      const { id, status, requestId } = payment;
      const moved = (ofRequest.get(requestId) ?? []).map(({ amount }) => amount).sort(ascending);
      const isFit = moved.join() === owed(payment).join();
      return isFit ? [] : [`${id} (${status}) has moved [${moved.join(", ")}]`];
    });
    const stray = moves.filter(({ requestId }) => !known.has(requestId));
    return [...unfit, ...stray.map(({ amount, requestId }) => `${amount} for ${requestId}`)];
  },

  "repeats with another answer": ({ answers }) =>
    [...grouped(answers, ({ requestId }) => requestId)].flatMap(([requestId, [first, ...more]]) => {
      const others = more.filter((one) => first !== undefined && !isSame(one, first));
      return others.map(({ status }) => `request ${requestId}: ${first?.status}, then ${status}`);
    }),

  "authorised payments gone back": ({ authorised, sightings }, { payments }) => {
    const now = new Map(payments.map(({ id, status }) => [id, status]));
    const seen = sightings.filter(({ status }) => status !== "RCVD" && status !== "RJCT");
    const accepted = new Set([...authorised, ...seen.map(({ paymentId }) => paymentId)]);
    return [...accepted].flatMap((id) => {
      const status = now.get(id);
      const back = status === undefined || status === "RCVD" || status === "RJCT";
      return back ? [`${id} was authorised and is ${status ?? "not there"}`] : [];
    });
  },

  "statuses gone backwards": ({ sightings }) =>
    [...grouped(sightings, ({ paymentId }) => paymentId)].flatMap(([id, ofOne]) =>
      ofOne.flatMap(({ status }, at) => {
        const before = ofOne[at - 1]?.status ?? status;
        return isBehind(before, status) ? [`${id} went from ${before} to ${status}`] : [];
      }),
    ),

  "currencies out of balance": (_journal, { sums }) =>
    sums.filter(({ sum }) => sum !== 0n).map(({ currency, sum }) => `${currency}: ${sum}`),

  "accepted payments without end": (_journal, { payments }) =>
    payments.filter(({ isDue }) => isDue).map(({ id, status }) => `${id} is still ${status}`),

  "acknowledged consents lost": ({ consents: answers }, { consents }) => {
    const kept = new Set(consents.flatMap(({ id, requestId }) => [id, requestId]));
    return answers
      .filter(({ requestId, consentId }) => !kept.has(consentId ?? requestId))
      .map(({ requestId, consentId }) => `${consentId ?? requestId} is not there`);
  },

  "consents created twice": (_journal, { consents }) =>
    [...grouped(consents, ({ requestId }) => requestId)]
      .filter(([, ofOne]) => ofOne.length > 1)
      .map(([requestId, ofOne]) => `${ofOne.length} consents for request ${requestId}`),

  "consents nobody asked for": ({ consentsAsked }, { consents }) => {
    const asked = new Set(consentsAsked);
    return consents
      .filter(({ requestId }) => !asked.has(requestId))
      .map(({ id }) => `${id} was not asked for`);
  },

  // A repeat is refused because of an answer that was given or lost; each was heard, and none said so.
  "consents refused at once": ({ consentsAsked, consents: answers }) => {
    const sent = grouped(consentsAsked, (requestId) => requestId);
    return [...grouped(answers, ({ requestId }) => requestId)]
      .filter(([, ofOne]) => ofOne.every(({ consentId }) => consentId === undefined))
      .filter(([requestId, ofOne]) => ofOne.length === sent.get(requestId)?.length)
      .map(([requestId]) => `${requestId} is said to have been used`);
  },

  "reads not logged once": ({ readsSent, readsAnswered }, { reads }) => {
    const sent = grouped(readsSent, (consentId) => consentId);
    const answered = grouped(readsAnswered, (consentId) => consentId);
    return [...sent].flatMap(([consentId, { length: asked }]) => {
      const served = answered.get(consentId)?.length ?? 0;
      const logged = reads.get(consentId) ?? 0;
      const isFit = served <= logged && logged <= asked;
      return isFit ? [] : [`${consentId}: ${asked} sent, ${served} served, ${logged} logged`];
    });
  },

  "answers no TPP should get": ({ oddities }) => oddities,

  "requests failed where none may": ({ failures }) => failures,

  "late recoveries and bad ends": ({ delays }) => delays,
} as const satisfies Readonly<Record<string, Check>>;

export type Finding = keyof typeof checks;
export type Findings = Readonly<Record<Finding, readonly string[]>>;

/** All findings; a run in which nothing was lost has none. */
export function compare(journal: Journal, books: Books): Findings {
  const entries = Object.entries<Check>(checks);
  return Object.fromEntries(
    entries.map(([name, check]) => [name, check(journal, books)]),
  ) as Findings;
}

/** On the customers' accounts: the debit with the execution, the credit of another customer at its end. */
function owed({ status, amount, staysHere }: BookedPayment): readonly bigint[] {
  if (status === "ACSP") return [-amount];
  if (status !== "ACSC" && status !== "ACCC") return [];
  return staysHere ? [-amount, amount] : [-amount];
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}

function isSame(one: Answer, other: Answer): boolean {
  return one.status === other.status && one.body === other.body && one.location === other.location;
}

function isBehind(before: Sighting["status"], now: Sighting["status"]): boolean {
  return before !== now && !reachable(before).has(now);
}

function reachable(from: Sighting["status"]): ReadonlySet<Sighting["status"]> {
  const next = transactionTransitions[from];
  return new Set(next.flatMap((status) => [status, ...reachable(status)]));
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
