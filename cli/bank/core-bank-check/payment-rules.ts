import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isTodayOrLater } from "@/lib/core-bank/http/core-bank";
import { addTime } from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";
import {
  anyAccount,
  checkAccount,
  checkOnce,
  checkSame,
  everything,
  least,
  most,
  othersAccount,
  report,
  wholeReport,
} from "./account-rules";
import {
  type Account,
  Broken,
  CLOCK_SECONDS_MAX,
  DAYS_OF_PAYMENTS,
  type Kit,
  type KitSettings,
  NotChecked,
  OUT_OF_REACH,
  PAGE,
  PAGE_MAX,
  PAGES_MAX,
  PARALLEL_SUBMISSIONS,
  type Progress,
  SETTLE_POLL_MS,
  SETTLE_POLLS,
} from "./kit";

export async function pagesUnderWrites(kit: Kit, settings: KitSettings): Promise<string> {
  const { account } = await anyAccount(kit);
  const before = await wholeReport(kit, account.id, PAGE_MAX);
  const { entries = 0 } = settings;
  if (before.length < entries)
    throw new NotChecked(`no account to pay from is known to have ${entries} entries`);
  const size = before.length > PAGE * PAGES_MAX ? PAGE_MAX : PAGE;
  if (before.length <= size)
    throw new NotChecked(`${account.id} has no second page of ${size} entries`);
  const known = new Set(before.map(({ id }) => id));
  const between = async () => {
    await pay(kit, settings);
    await entered(kit, account, known);
  };
  const during = await wholeReport(kit, account.id, size, { between });
  checkOnce(during);
  checkSame(during, before, "that were there when it was begun");
  return `${before.length} entries in pages of ${size}, with a payment between the first two`;
}

/** Until a report that is begun now shows an entry besides those. */
async function entered(kit: Kit, { id }: Account, known: ReadonlySet<string>): Promise<void> {
  for (let poll = 0; poll < SETTLE_POLLS; poll += 1) {
    if ((await newest(kit, id)).some((entry) => !known.has(entry.id))) return;
    await sleep(SETTLE_POLL_MS);
  }
  const seconds = (SETTLE_POLLS * SETTLE_POLL_MS) / 1_000;
  throw new NotChecked(`the payment was in no report after ${seconds} s`);
}

/** Of the last days, where what a payment enters is. */
async function newest(kit: Kit, accountId: string) {
  const from = addTime(await systemClock.now(), -DAYS_OF_PAYMENTS, "day");
  const part = { dateFrom: from.toISOString().slice(0, 10) };
  return wholeReport(kit, accountId, PAGE_MAX, { part });
}

async function orderFrom(kit: Kit, account: Account) {
  const others = (await kit.listed()).flatMap(({ accounts }) => accounts);
  const payee =
    others.find(({ id, currency }) => id !== account.id && currency === account.currency) ??
    account;
  return {
    product: "sepa-credit-transfers",
    amount: least(account.currency),
    debtor: { iban: account.iban, currency: account.currency },
    creditor: { name: payee.owners[0]?.name ?? "Payee", iban: payee.iban },
    remittance: "Contract kit",
    chargeBearer: "SLEV" as const,
    rejectWithoutFunds: true,
  };
}

async function quoted(kit: Kit, amountOf = least) {
  const { customerId, account } = await anyAccount(kit);
  const amount = amountOf(account.currency);
  const order = { ...(await orderFrom(kit, account)), amount };
  const quote = await kit.answerOf("quotePayment", { body: { customerId, order } });
  return { customerId, order, quote, account };
}

export async function quotes(kit: Kit): Promise<string> {
  const before = await quoted(kit);
  const { quote, account } = before;
  await checkAccount(kit, account.id, quote.account);
  if (quote.debit.accountId !== account.id) {
    throw new Broken(`a debit of ${account.id}`, quote.debit.accountId);
  }
  if (!isTodayOrLater(quote, await systemClock.now()))
    throw new Broken("today or later", `${quote.executionDate}`);
  const again = await quoted(kit);
  if (!isDeepStrictEqual(again.quote.debit, quote.debit)) {
    throw new Broken(JSON.stringify(quote.debit), JSON.stringify(again.quote.debit));
  }
  await refusingQuote(kit);
  return `${quote.debit.amount.amount} ${quote.debit.amount.currency} and a fee of ${quote.debit.fee.amount}`;
}

async function refusingQuote(kit: Kit): Promise<void> {
  const { quote } = await quoted(kit, most);
  if (quote.refusal === undefined && quote.fundsAvailable) {
    throw new Broken(`a refusal or no funds for ${OUT_OF_REACH}`, "neither");
  }
}

export async function refusesOthersQuote(kit: Kit): Promise<string> {
  const { customerId, account } = await othersAccount(kit);
  const order = await orderFrom(kit, account);
  return kit.refusedAs("unknown-account", "quotePayment", { body: { customerId, order } });
}

/** Whichever account is asked about: here one of another customer's. */
export async function refusesBlocked(
  kit: Kit,
  { blockedCustomer: customerId }: KitSettings,
): Promise<string> {
  if (customerId === undefined) throw new NotChecked("needs --blocked-customer ID");
  const { account } = await anyAccount(kit);
  const { id: accountId, currency } = account;
  const [path, query, body] = [{ accountId }, { customerId }, { customerId, ids: [accountId] }];
  const calls = {
    listAccounts: { path: query },
    lookupAccounts: { body },
    lookupBalances: { body },
    listTransactions: { path, query: { ...query, ...everything, limit: "10" } },
    getTransaction: { path: { ...path, transactionId: "none" }, query },
    listStandingOrders: { path, query },
    checkFunds: { body: { accountId, customerId, amounts: [least(currency)] } },
    quotePayment: { body: { customerId, order: await orderFrom(kit, account) } },
    getLimits: { path: query },
  } as const;
  const names = Object.keys(calls) as (keyof typeof calls)[];
  for (const name of names) await kit.refusedAs("customer-blocked", name, calls[name]);
  return names.join(", ");
}

export async function pay(kit: Kit, { pays }: KitSettings, amountOf = least) {
  const { paymentId, body, account } = await toSubmit(kit, pays, amountOf);
  const progress = await kit.answerOf("submitPayment", { path: { paymentId }, body });
  kit.submitted.push(progress);
  return { paymentId, body, account, progress };
}

async function toSubmit(kit: Kit, pays: boolean, amountOf = least) {
  if (!pays) throw new NotChecked("needs --pay");
  const { customerId, order, quote, account } = await quoted(kit, amountOf);
  const authorisedAt = (await systemClock.now()).toISOString();
  const body = { customerId, order, debit: quote.debit, authorisedAt };
  return { paymentId: randomUUID(), body, account };
}

const statusesOf = ({ history }: Progress) => history.map(({ status }) => status).join(" ");

/** Where a payment stands when it stands still, or after some seconds, from how it was told before. */
async function settled(kit: Kit, told: Progress): Promise<Progress> {
  let known = told;
  for (let poll = 0; poll < SETTLE_POLLS; poll += 1) {
    if (poll > 0) await sleep(SETTLE_POLL_MS);
    const next = await kit.answerOf("getPayment", { path: { paymentId: told.paymentId } });
    const before = statusesOf(known);
    if (!statusesOf(next).startsWith(before)) throw new Broken(`${before} …`, statusesOf(next));
    known = next;
    if (known.nextAt === undefined) return known;
  }
  return known;
}

/** The entries of an account before a payment, when what was submitted has come to its end. */
async function entriesBefore(kit: Kit, { id }: Account): Promise<ReadonlySet<string>> {
  await Promise.all(kit.submitted.map((told) => settled(kit, told)));
  return new Set((await newest(kit, id)).map((one) => one.id));
}

/** One entry of the payment's amount for one that was executed, and none for another. */
async function checkEntries(
  kit: Kit,
  { account, body }: Pick<Awaited<ReturnType<typeof toSubmit>>, "account" | "body">,
  before: ReadonlySet<string>,
  end: Progress,
): Promise<number> {
  const debited = `-${body.order.amount.amount}`;
  const made = (await newest(kit, account.id)).filter(
    ({ id, amount }) => !before.has(id) && amount.amount === debited,
  );
  const wanted = statusesOf(end).includes("ACSP") ? 1 : 0;
  if (made.length !== wanted)
    throw new Broken(`${wanted} entries of ${debited}`, String(made.length));
  return made.length;
}

export async function submitsOnce(kit: Kit, { pays }: KitSettings): Promise<string> {
  const { paymentId, body, account } = await toSubmit(kit, pays);
  const before = await entriesBefore(kit, account);
  const submit = () => kit.answerOf("submitPayment", { path: { paymentId }, body });
  const others = Array.from({ length: PARALLEL_SUBMISSIONS - 1 }, submit);
  const answers = await Promise.all([submit(), ...others]);
  const end = await settled(kit, answers[0]);
  for (const answer of answers) {
    if (!statusesOf(end).startsWith(statusesOf(answer)))
      throw new Broken(statusesOf(end), statusesOf(answer));
  }
  const entries = await checkEntries(kit, { account, body }, before, end);
  return `${statusesOf(end)}, ${entries} entry`;
}

export async function conflicts(kit: Kit, settings: KitSettings): Promise<string> {
  const { account } = await anyAccount(kit);
  const before = await entriesBefore(kit, account);
  const payment = await pay(kit, settings);
  const { paymentId, body } = payment;
  const end = await settled(kit, payment.progress);
  const other = { ...body, order: { ...body.order, remittance: "Another payment" } };
  await kit.refusedAs("conflict", "submitPayment", { path: { paymentId }, body: other });
  const again = await kit.answerOf("submitPayment", { path: { paymentId }, body });
  goesOn(end, again);
  const entries = await checkEntries(kit, payment, before, await settled(kit, again));
  return `conflict, and ${statusesOf(again)} with ${entries} entry for the first body`;
}

export async function rejects(kit: Kit, settings: KitSettings): Promise<string> {
  await refusingQuote(kit);
  const { account } = await anyAccount(kit);
  const before = await entriesBefore(kit, account);
  const payment = await pay(kit, settings, most);
  const end = await settled(kit, payment.progress);
  const last = end.history.at(-1);
  if (last?.status !== "RJCT") throw new Broken(`RJCT for ${OUT_OF_REACH}`, statusesOf(end));
  await checkEntries(kit, payment, before, end);
  return `${statusesOf(end)}, ${last.reason}`;
}

export async function knowsPayment(kit: Kit, settings: KitSettings): Promise<string> {
  await kit.refusedAs("unknown-payment", "getPayment", { path: { paymentId: randomUUID() } });
  const { paymentId, progress } = await pay(kit, settings);
  const known = await kit.answerOf("getPayment", { path: { paymentId } });
  if (!statusesOf(known).startsWith(statusesOf(progress))) {
    throw new Broken(`${statusesOf(progress)} …`, statusesOf(known));
  }
  return statusesOf(known);
}

export async function goesForward(kit: Kit, settings: KitSettings): Promise<string> {
  const end = await settled(kit, (await pay(kit, settings)).progress);
  const instants = end.history.map(({ at }) => Date.parse(at));
  if (instants.some((at, nth) => at < (instants[nth - 1] ?? at))) {
    throw new Broken("instants that grow", end.history.map(({ at }) => at).join(", "));
  }
  return statusesOf(end);
}

async function allChanges(kit: Kit, after?: string) {
  const changes: Progress[] = [];
  let position = after;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = await kit.answerOf("listChanges", {
      query: { limit: "1000", ...(position !== undefined && { after: position }) },
    });
    changes.push(...got.changes);
    if (got.changes.length === 0) return { changes, next: got.next };
    if (got.next === position) throw new Broken("a position after the changes", got.next);
    position = got.next;
  }
  throw new NotChecked(`the feed has more than ${PAGES_MAX} pages`);
}

export async function feedsChanges(kit: Kit, settings: KitSettings): Promise<string> {
  if (!settings.pays) throw new NotChecked("needs --pay");
  const { next } = await allChanges(kit);
  const made: Progress[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    made.push(await settled(kit, (await pay(kit, settings)).progress));
  }
  const { changes } = await allChanges(kit, next);
  const ids = made.map(({ paymentId }) => paymentId);
  const told = changes.map(({ paymentId }) => paymentId).filter((id) => ids.includes(id));
  if (new Set(told).size < ids.length)
    throw new Broken(`the payments ${ids.join(", ")}`, told.join(", "));
  for (const change of changes.filter(({ paymentId }) => ids.includes(paymentId))) {
    const { paymentId } = change;
    goesOn(change, await kit.answerOf("getPayment", { path: { paymentId } }));
  }
  if (made.some(({ nextAt }) => nextAt !== undefined))
    return `${ids.length} payments, which have not come to their ends: in some order`;
  // Each had come to its end before the next one was submitted, however often each is named.
  const inOrder = told.toSorted((one, other) => ids.indexOf(one) - ids.indexOf(other));
  if (!isDeepStrictEqual(told, inOrder)) throw new Broken(inOrder.join(", "), told.join(", "));
  return `${ids.length} payments, in their order`;
}

export async function countsLimits(kit: Kit, settings: KitSettings): Promise<string> {
  const { customerId } = await anyAccount(kit);
  const read = async () => (await kit.answerOf("getLimits", { path: { customerId } })).usedToday;
  const before = await read();
  const { progress } = await pay(kit, settings);
  if (statusesOf(progress).includes("RJCT")) throw new NotChecked("the payment was rejected");
  const after = await read();
  if (Number(after.amount) <= Number(before.amount))
    throw new Broken(`more than ${before.amount}`, after.amount);
  return `${before.amount}, then ${after.amount} ${after.currency}`;
}

/** In the middle of a payment and of a report, which may be continued or begun again, and never be another one. */
export async function survivesRestart(kit: Kit, settings: KitSettings): Promise<string> {
  if (settings.restart === undefined) throw new NotChecked("needs --restart COMMAND");
  const { customerId, account } = await anyAccount(kit);
  await Promise.all(kit.submitted.map((told) => settled(kit, told)));
  const before = await wholeReport(kit, account.id, PAGE_MAX);
  const { transactions, cursor } = await report(kit, account.id, PAGE);
  const { paymentId, body, progress } = await pay(kit, settings);
  await settings.restart();
  goesOn(progress, await kit.answerOf("getPayment", { path: { paymentId } }));
  goesOn(progress, await kit.answerOf("submitPayment", { path: { paymentId }, body }));
  const end = await settled(kit, progress);

  const ids = before.map(({ id }) => id);
  const after = new Set((await wholeReport(kit, account.id, PAGE_MAX)).map(({ id }) => id));
  const lost = ids.filter((id) => !after.has(id));
  if (lost.length > 0)
    throw new Broken(`the entries ${lost.slice(0, 5).join(", ")}`, "none of them");
  if (cursor === undefined) return statusesOf(end);
  const query = { customerId, ...everything, limit: String(PAGE), cursor };
  const next = await kit.call("listTransactions", { path: { accountId: account.id }, query });
  if ("answer" in next) {
    const pages = [...transactions, ...next.answer.transactions].map(({ id }) => id);
    const wanted = ids.slice(0, pages.length);
    if (!isDeepStrictEqual(pages, wanted)) throw new Broken(wanted.join(", "), pages.join(", "));
  } else if (next.problem !== "expired-cursor") throw new Broken("expired-cursor", next.problem);
  return `${statusesOf(end)}, and the report ${"answer" in next ? "goes on" : "has expired"}`;
}

/** With each step as it was told, its instant included: a payment executed again has others. */
function goesOn({ history }: Progress, later: Progress): void {
  if (isDeepStrictEqual(later.history.slice(0, history.length), history)) return;
  throw new Broken(JSON.stringify(history), JSON.stringify(later.history));
}

/** By the first status of a payment, or else by the header Date, which a proxy may have written. */
export async function agreesOnTime(kit: Kit, settings: KitSettings): Promise<string> {
  const told = settings.pays
    ? (await pay(kit, settings)).progress.history[0]?.at
    : (await kit.call("getPayment", { path: { paymentId: randomUUID() } })).date;
  if (told === undefined) throw new NotChecked("needs --pay, or the header Date");
  const said = Date.parse(told);
  const seconds = Math.abs((await systemClock.now()).getTime() - said) / 1_000;
  if (seconds > CLOCK_SECONDS_MAX)
    throw new Broken(`at most ${CLOCK_SECONDS_MAX} s`, `${seconds.toFixed(0)} s`);
  return `${seconds.toFixed(1)} s apart`;
}
