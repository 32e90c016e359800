import { type Column, table } from "@/cli/tpp/table";
import { type TransactionStatus, transactionTransitions } from "@/lib/domain/payment-order";
import type { BookedPayment, Books } from "./books";

/**
 * What the TPPs know at the end of a run, and what the bank is held to. A payment carries its X-Request-ID as
 * remittance, so that the books can be searched for what was asked, and not only for what was kept of it.
 */
export type Journal = {
  /** Every payment that was ever sent, whether or not an answer came. */
  readonly asked: Asked[];
  readonly answers: Answer[];
  /** In the order in which they were asked for, each after the one before was answered. */
  readonly statuses: StatusSeen[];
  /** Payments whose PSU was sent back to the TPP with a code. */
  readonly authorised: string[];
  /** X-Request-IDs of account consents, each as often as it was sent. */
  readonly consentsAsked: string[];
  readonly consents: ConsentAnswer[];
  /** The consent of each read and funds check, as often as one was sent, and as often as one was served. */
  readonly readsSent: string[];
  readonly readsAnswered: string[];
  /** Answers that no TPP should ever get, a sentence each. */
  readonly unexpected: string[];
  /** Requests without a good end in a run in which none may fail, a sentence each. */
  readonly failures: string[];
  /** What recovered late or did not end as it should, a sentence each. */
  readonly late: string[];
  /** Differences between two sides that reconciliation has missed or made up, a sentence each. */
  readonly unreconciled: string[];
  readonly tally: Record<Counted, number>;
};

export type Asked = {
  readonly requestId: string;
  readonly currency: string;
  /** Of each body that was sent under this id; the first one to arrive is the payment. */
  readonly amounts: readonly bigint[];
};

/** Of the bank to a POST; nothing, and what says that the bank has a fault, are no answer. */
export type Answer = {
  readonly requestId: string;
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
  readonly paymentId: string | undefined;
};

/** Without an id where the bank said that the request had created a consent before. */
export type ConsentAnswer = {
  readonly requestId: string;
  readonly consentId: string | undefined;
};

type StatusSeen = { readonly paymentId: string; readonly status: TransactionStatus };

const counted = [
  "clients",
  "faults",
  "initiations sent",
  "initiations answered",
  "calls without an answer",
  "calls answered with a fault",
  "payments acknowledged",
  "payments authorised",
  "access tokens",
  "consents acknowledged",
  "reads answered",
  "funds checks answered",
  "tokens refreshed",
  "payments executed",
  "PSU visits broken off",
  "PSU visits ended by the bank",
  "faults while calls were in flight",
  "servers ended in order",
  "core banks killed",
  "differences made and found",
  "slowest recovery in ms",
] as const;
type Counted = (typeof counted)[number];

export function emptyJournal(): Journal {
  return {
    ...{ asked: [], answers: [], statuses: [], authorised: [], consentsAsked: [], consents: [] },
    ...{
      readsSent: [],
      readsAnswered: [],
      unexpected: [],
      failures: [],
      late: [],
      unreconciled: [],
    },
    tally: Object.fromEntries(counted.map((name) => [name, 0])) as Record<Counted, number>,
  };
}

/** Yields a sentence for each fault it finds. */
type Check = (journal: Journal, books: Books) => readonly string[];

/** What must never happen, whatever breaks at whatever moment. */
export const checks = {
  "acknowledged payments lost": ({ answers }, { payments }) => {
    const kept = new Set(payments.map(({ id }) => id));
    const acknowledged = new Set(answers.flatMap(({ paymentId }) => paymentId ?? []));
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

  "authorised payments gone back": ({ authorised, statuses }, { payments }) => {
    const now = new Map(payments.map(({ id, status }) => [id, status]));
    const seen = statuses.filter(({ status }) => status !== "RCVD" && status !== "RJCT");
    const accepted = new Set([...authorised, ...seen.map(({ paymentId }) => paymentId)]);
    return [...accepted].flatMap((id) => {
      const status = now.get(id);
      const back = status === undefined || status === "RCVD" || status === "RJCT";
      return back ? [`${id} was authorised and is ${status ?? "not there"}`] : [];
    });
  },

  "statuses gone backwards": ({ statuses }) =>
    [...grouped(statuses, ({ paymentId }) => paymentId)].flatMap(([id, ofOne]) =>
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

  "answers no TPP should get": ({ unexpected }) => unexpected,

  "requests failed where none may": ({ failures }) => failures,

  "late recoveries and bad ends": ({ late }) => late,

  "differences missed or made up": ({ unreconciled }) => unreconciled,
} as const satisfies Readonly<Record<string, Check>>;

type Finding = keyof typeof checks;
const findingNames = Object.keys(checks) as Finding[];

export type Outcome = {
  readonly findings: Readonly<Record<Finding, readonly string[]>>;
  readonly tally: Journal["tally"];
};

/** All findings; a run in which nothing was lost has none. */
export function compare(journal: Journal, books: Books): Outcome {
  const found = Object.entries<Check>(checks).map(([name, check]) => [name, check(journal, books)]);
  return { findings: Object.fromEntries(found) as Outcome["findings"], tally: journal.tally };
}

/** Of a run in which nothing was tried nothing is known. At its end each client has paid once more, undisturbed. */
const tried = {
  "payments authorised": "clients",
  "payments executed": 1,
  "consents acknowledged": 1,
  "reads answered": 1,
  "funds checks answered": 1,
  "faults while calls were in flight": 1,
} as const satisfies Partial<Record<Counted, number | "clients">>;

export function isFlawless({ findings, tally }: Outcome): boolean {
  const isTried = Object.entries(tried).every(([name, least]) => {
    return tally[name as Counted] >= (least === "clients" ? tally.clients : least);
  });
  return isTried && findingNames.every((name) => findings[name].length === 0);
}

const EXAMPLES_AT_MOST = 5;

/** What happened, what was found, and examples of what should not have been. */
export function report(name: string, { findings, tally }: Outcome): string {
  const columns = (heading: string): readonly Column[] => [
    { heading },
    { heading: name, align: "right" },
  ];
  const examples = findingNames.flatMap((finding) => {
    const [first, ...more] = findings[finding].slice(0, EXAMPLES_AT_MOST);
    return first === undefined ? [] : [`${finding}:\n  ${[first, ...more].join("\n  ")}`];
  });
  const happened = counted.map((one) => [one, String(tally[one])]);
  const found = findingNames.map((one) => [one, String(findings[one].length)]);
  const tables = [
    table(columns("What happened"), happened),
    table(columns("What must be 0"), found),
  ];
  return [...tables, ...examples].join("\n\n");
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

export function isBehind(before: TransactionStatus, now: TransactionStatus): boolean {
  return before !== now && !reachable(before).has(now);
}

function reachable(from: TransactionStatus): ReadonlySet<TransactionStatus> {
  const next = transactionTransitions[from];
  return new Set(next.flatMap((status) => [status, ...reachable(status)]));
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
