import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, lte, sql } from "drizzle-orm";
import {
  accountFunds,
  accountOwner,
  customer,
  ledgerAccount,
  ledgerEntry,
  ledgerPayment,
  ledgerPaymentStatus,
  paymentLimitDay,
  psu,
} from "@/drizzle/schema/ledger";
import type { Counterparty } from "@/lib/domain/accounts";
import {
  type AspspProfile,
  convert,
  hasRate,
  type PaymentProduct,
  termsOf,
} from "@/lib/domain/bank-profile";
import { afterFundsCheck, afterSettlement, type Step } from "@/lib/domain/payments";
import {
  type AccountId,
  addTime,
  dayIn,
  type Iban,
  type IsoDate,
  type PaymentId,
  startOfDayIn,
  type TppId,
  timeIn,
} from "@/lib/domain/values";
import { log } from "@/lib/log";
import { isBusinessDay, nextBusinessDay } from "./balances";
import type { LedgerDatabase, LedgerTransaction } from "./database";
import { clearingAccount, counterpartyColumns, enterTransfers, type Transfer } from "./entries";
import { type FindMagic, noMagic } from "./magic-payments";

/**
 * Execution in the embedded ledger. Each payment that is due is claimed so that no other server waits for it or
 * does the same, and its step is one transaction: the change of status and the entries that go with it, both
 * or neither. Yields how many steps were taken; `rowsAtOnce` when more may be due.
 */
export function paymentExecution(
  database: LedgerDatabase,
  profile: AspspProfile,
  magic: FindMagic = noMagic,
) {
  return {
    /** Of all payments, or of those from accounts of the namespace of `tppId`. */
    advance: async (
      now: Date,
      rowsAtOnce: number,
      tppId?: TppId,
    ): Promise<{ readonly steps: number }> => {
      let steps = 0;
      while (steps < rowsAtOnce && (await advanceOne(database, { profile, magic, now, tppId })))
        steps += 1;
      return { steps };
    },
  };
}

/** False when nothing is due that no other server has claimed. */
async function advanceOne(
  database: LedgerDatabase,
  { tppId, ...turn }: Omit<Books, "tx"> & { readonly tppId: TppId | undefined },
): Promise<boolean> {
  const { now } = turn;
  let claimed: PaymentId | undefined;
  try {
    return await database.transaction(async (tx) => {
      const payment = await claimDuePayment(tx, now, tppId);
      if (payment === undefined) return false;
      claimed = payment.id;
      await proceed(tx, payment, await stepOf({ tx, ...turn }, payment), now);
      return true;
    });
  } catch (error) {
    if (claimed === undefined) throw error;
    const payment = { paymentId: claimed, err: error };
    log.error(payment, "a payment's step failed and is tried again later");
    const dueAt = addTime(now, turn.profile.payments.fundsRetrySeconds, "second");
    await postpone(database, claimed, { now, dueAt });
    return true;
  }
}

/**
 * A payment whose step fails is put behind the others, and tried again as often as one that waits for funds:
 * the step was rolled back, and the payment is not given up.
 */
async function postpone(
  database: LedgerDatabase,
  id: PaymentId,
  { now, dueAt }: { readonly now: Date; readonly dueAt: Date },
): Promise<void> {
  const stillDue = and(eq(ledgerPayment.id, id), lte(ledgerPayment.dueAt, now));
  await database.transaction((tx) => tx.update(ledgerPayment).set({ dueAt }).where(stillDue));
}

/** A submitted payment, and how far it has come. */
export type LedgerPayment = typeof ledgerPayment.$inferSelect;

/**
 * The payment that has been due for longest, held until the end of the transaction. One that another
 * server holds is skipped.
 */
export async function claimDuePayment(
  tx: LedgerTransaction,
  now: Date,
  tppId?: TppId,
): Promise<LedgerPayment | undefined> {
  const ofNamespace =
    tppId &&
    inArray(ledgerPayment.psuId, tx.select({ id: psu.id }).from(psu).where(eq(psu.tppId, tppId)));
  const [row] = await tx
    .select()
    .from(ledgerPayment)
    .where(and(lte(ledgerPayment.dueAt, now), ofNamespace))
    .orderBy(asc(ledgerPayment.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  return row;
}

/** In which one step takes place. */
type Books = {
  readonly tx: LedgerTransaction;
  readonly profile: AspspProfile;
  /** In the sandbox only. */
  readonly magic: FindMagic;
  readonly now: Date;
};

/** Does in the books what is due, and says what becomes of the payment. */
function stepOf(books: Books, payment: LedgerPayment): Promise<Step> {
  switch (payment.status) {
    case "ACCP":
    case "PDNG":
      return reserveFunds(books, payment, payment.status);
    case "ACSP":
      return settle(books, payment);
    case "ACSC":
      return Promise.resolve({ to: "ACCC" });
    default:
      throw new Error(`nothing is due of a payment that is ${payment.status}`);
  }
}

/** Amount and fee leave the debtor's account, pending, when they are there: all or nothing. */
async function reserveFunds(
  books: Books,
  payment: LedgerPayment,
  status: "ACCP" | "PDNG",
): Promise<Step> {
  const { tx, profile, now } = books;
  const clearingId = await clearingAccount(tx, payment.debitCurrency, profile);
  const magic = books.magic(payment);
  const enough = magic?.enough?.(status) ?? (await fundsAreThere(tx, payment));
  const { authorisedAt, rejectWithoutFunds } = { ...payment, ...magic };
  const order = { ...payment, rejectWithoutFunds };
  const step = afterFundsCheck({ status, order, enough, authorisedAt, now }, profile);
  if (step.to !== "ACSP") return step;
  await enter(books, debitTransfers(payment, profile), { clearingId, status: "pending" });
  const slow = magic?.settlesAfterSeconds;
  const dueAt =
    slow === undefined ? settlementAt(payment, profile, now) : addTime(now, slow, "second");
  return { ...step, dueAt };
}

/** After the product's cut-off, and on days on which TARGET is closed, the settlement begins with the next banking day. */
export function settlementAt(
  { product }: Pick<LedgerPayment, "product">,
  profile: AspspProfile,
  now: Date,
): Date {
  const { cutOff, settlesAfterSeconds } = termsOf(profile, product);
  const { timeZone } = profile;
  const today = dayIn(timeZone, now);
  const isInTime = cutOff === undefined || (isBusinessDay(today) && timeIn(timeZone, now) < cutOff);
  const begins = isInTime ? now : startOfDayIn(timeZone, nextBusinessDay(today));
  return addTime(begins, settlesAfterSeconds, "second");
}

/** Looked at under the account's lock, so that payments at once never pass the overdraft together. */
async function fundsAreThere(tx: LedgerTransaction, payment: LedgerPayment): Promise<boolean> {
  const { accountId } = payment;
  const account = (await lockAccounts(tx, [accountId])).get(accountId);
  return account?.status === "enabled" && (await coversDebit(tx, payment));
}

/** Whether amount and fee are there as of this statement. */
export async function coversDebit(
  tx: Pick<LedgerTransaction, "select">,
  { accountId, debitMinor, feeMinor }: Pick<LedgerPayment, "accountId" | "debitMinor" | "feeMinor">,
): Promise<boolean> {
  const [funds] = await tx
    .select({ availableMinor: accountFunds.availableMinor })
    .from(accountFunds)
    .where(eq(accountFunds.accountId, accountId));
  return funds !== undefined && funds.availableMinor >= debitMinor + feeMinor;
}

/**
 * Books the debit. The creditor's account is credited when it is here; of another bank's, the clearing
 * account has the money from now on. What cannot be credited goes back at once, with the fee.
 */
async function settle(books: Books, payment: LedgerPayment): Promise<Step> {
  const { tx, profile, now } = books;
  const { accountId, debitCurrency } = payment;
  const creditor = await creditorAccount(books, payment);
  const { id, currency } = creditor.account ?? { id: accountId, currency: debitCurrency };
  const clearing = {
    ofDebtor: await clearingAccount(tx, debitCurrency, profile),
    ofCreditor: await clearingAccount(tx, currency, profile),
  };
  const locked = await lockAccounts(tx, [accountId, id]);
  await bookDebit(books, payment);

  const account = creditor.account && locked.get(id);
  const creditable = !creditor.isHere || isCreditable(account, profile);
  const booked = { status: "booked" } as const;
  if (!creditable) {
    const terms = { ...booked, clearingId: clearing.ofDebtor };
    await enter(books, returnTransfers(payment, profile), terms);
  } else if (account) {
    const terms = { ...booked, clearingId: clearing.ofCreditor };
    await enter(books, [await creditTransfer(books, payment, account)], terms);
  }
  return afterSettlement({ order: payment, creditable, now }, profile);
}

type Taken = Pick<LedgerPayment, "limitDay" | "limitMinor" | "fundsAvailable">;

/** Writes what has become of the payment. One that is rejected takes nothing of the PSU's limit. */
export async function proceed(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  { to: status, dueAt, reason, ...taken }: Step & Partial<Taken>,
  now: Date,
): Promise<void> {
  const { id: paymentId } = payment;
  const rejected = status === "RJCT";
  await tx
    .update(ledgerPayment)
    .set({
      status,
      dueAt: dueAt ?? null,
      ...taken,
      ...(rejected && { limitDay: null, limitMinor: null }),
    })
    .where(eq(ledgerPayment.id, paymentId));
  if (status !== payment.status) {
    await tx.insert(ledgerPaymentStatus).values({ paymentId, status, at: now, reason });
  }
  if (rejected) await giveLimitBack(tx, payment);
}

async function giveLimitBack(
  tx: LedgerTransaction,
  { psuId, limitDay, limitMinor }: LedgerPayment,
): Promise<void> {
  if (limitDay === null || limitMinor === null) return;
  await tx
    .update(paymentLimitDay)
    .set({ usedMinor: sql`${paymentLimitDay.usedMinor} - ${limitMinor}::bigint` })
    .where(and(eq(paymentLimitDay.psuId, psuId), eq(paymentLimitDay.day, limitDay)));
}

/**
 * Both sides of what was entered pending are booked: the same rows, so a TPP finds them under the same
 * `transactionId`. Throws when they are not there as they were entered.
 */
async function bookDebit({ tx, profile, now }: Books, payment: LedgerPayment): Promise<void> {
  const { accountId } = payment;
  const transfers = debitTransfers(payment, profile);
  const references = transfers.map(({ entryReference }) => entryReference);
  const ofDebtor = and(
    eq(ledgerEntry.accountId, accountId),
    inArray(ledgerEntry.entryReference, references),
  );
  const entered = tx.select({ id: ledgerEntry.transferId }).from(ledgerEntry).where(ofDebtor);
  // A clock that was set back must not book an entry before it was entered.
  const today = dayIn(profile.timeZone, now);
  const day = sql<IsoDate>`greatest(${ledgerEntry.enteredOn}, ${today}::date)`;
  const changedAt = sql`greatest(${ledgerEntry.changedAt}, ${sql.param(now, ledgerEntry.changedAt)})`;
  const booked = await tx
    .update(ledgerEntry)
    .set({ status: "booked", bookedOn: day, valueOn: day, changedAt })
    .where(and(inArray(ledgerEntry.transferId, entered), eq(ledgerEntry.status, "pending")))
    .returning({ id: ledgerEntry.id });
  if (booked.length !== 2 * transfers.length) throw new Error("the debit is not in the books");
}

/** ISO 20022 Max70Text, where an owner's name may have 140 characters. */
const NAME_CHARACTERS = 70;

/** What the creditor's account gets: the amount of the order, in the account's currency. */
async function creditTransfer(
  books: Books,
  payment: LedgerPayment,
  { id: accountId, currency }: LockedAccount,
): Promise<Movement> {
  const { id, product, remittance, endToEndId, amountMinor } = payment;
  const sent = { currency: payment.currency, minorUnits: amountMinor };
  return {
    transferId: randomUUID(),
    accountId,
    amountMinor: convert(sent, currency, books.profile).minorUnits,
    ...counterpartyColumns(await debtorOf(books, payment)),
    entryReference: referencesOf(id).credit,
    bankTransactionCode: transactionCodes[product].received,
    remittance,
    endToEndId,
  };
}

/** An owner of the debited account: the PSU if it is one, else the owner it acts for. */
async function debtorOf(
  { tx, profile }: Books,
  { accountId, debtorIban, psuId }: LedgerPayment,
): Promise<Counterparty> {
  const [owner] = await tx
    .select({ name: customer.name })
    .from(accountOwner)
    .innerJoin(customer, eq(customer.id, accountOwner.customerId))
    .where(and(eq(accountOwner.accountId, accountId), eq(accountOwner.role, "owner")))
    .orderBy(desc(sql`${customer.id}::text = ${psuId}`), asc(customer.name))
    .limit(1);
  const name = owner && { name: Array.from(owner.name).slice(0, NAME_CHARACTERS).join("") };
  return { ...name, iban: debtorIban, bic: profile.bic };
}

/**
 * The sub-account of the currency that the order names for the creditor, else of the amount's currency,
 * else the default one. An IBAN of this bank without an account is nobody else's: it is not sent out. Without an
 * account when there is none to take the money.
 */
async function creditorAccount(
  { tx, profile }: Books,
  { creditorIban, creditorCurrency, currency: sent }: LedgerPayment,
) {
  const { id, currency, isDefault } = ledgerAccount;
  const accounts = await tx
    .select({ id, currency, isDefault })
    .from(ledgerAccount)
    .where(eq(ledgerAccount.iban, creditorIban));
  const wanted = creditorCurrency ?? sent;
  const account =
    accounts.find((subAccount) => subAccount.currency === wanted) ??
    accounts.find((subAccount) => subAccount.isDefault);
  return { isHere: accounts.length > 0 || isOwnIban(creditorIban, profile), account };
}

/** Savings accounts take money too; loans, blocked and closed accounts take none. */
function isCreditable(
  account: LockedAccount | undefined,
  profile: AspspProfile,
): account is LockedAccount {
  if (account === undefined || account.status !== "enabled") return false;
  const takesMoney = account.kind === "current" || account.kind === "savings";
  return takesMoney && hasRate(account.currency, profile);
}

/** What leaves the debtor's account: the amount and, where there is one, the fee. */
function debitTransfers(
  payment: LedgerPayment,
  profile: AspspProfile,
): readonly [Movement, ...Movement[]] {
  const { id, product, accountId, debitMinor, feeMinor, remittance, endToEndId } = payment;
  const references = referencesOf(id);
  const amount = {
    transferId: id,
    accountId,
    amountMinor: -debitMinor,
    ...counterpartyColumns(creditorOf(payment, profile)),
    entryReference: references.debit,
    bankTransactionCode: transactionCodes[product].sent,
    remittance,
    endToEndId,
  };
  const fee = {
    transferId: randomUUID(),
    accountId,
    amountMinor: -feeMinor,
    ...counterpartyColumns({ name: profile.name, bic: profile.bic }),
    entryReference: references.fee,
    bankTransactionCode: CHARGES,
    remittance: `Fee for payment ${id}`,
  };
  return feeMinor === 0n ? [amount] : [amount, fee];
}

/** The same, returned: booked entries stay, and are reversed by transfers of their own. */
function returnTransfers(payment: LedgerPayment, profile: AspspProfile): readonly Movement[] {
  const references = referencesOf(payment.id);
  const [amount, ...fees] = debitTransfers(payment, profile);
  const back = (sent: Movement, entryReference: string, what: string): Movement => ({
    ...sent,
    transferId: randomUUID(),
    amountMinor: -sent.amountMinor,
    entryReference,
    bankTransactionCode: PAYMENT_RETURNED,
    remittance: `Returned: ${what} ${payment.id}`,
  });
  return [
    back(amount, references.return, "payment"),
    ...fees.map((fee) => back(fee, references.feeReturn, "fee for payment")),
  ];
}

function creditorOf(
  { creditorName, creditorIban, creditorAgent }: LedgerPayment,
  profile: AspspProfile,
): Counterparty {
  const bic = creditorAgent ?? (isOwnIban(creditorIban, profile) ? profile.bic : undefined);
  return { name: creditorName, iban: creditorIban, ...(bic !== undefined && { bic }) };
}

type Dates = "status" | "enteredOn" | "bookedOn" | "valueOn" | "changedAt";

/** With a reference that is unique within the account: the same transfer is never entered twice. */
type Movement = Omit<Transfer, Dates> & { readonly entryReference: string };

type Terms = {
  /** Of the account's currency. */
  readonly clearingId: AccountId;
  readonly status: "pending" | "booked";
};

/** Enters both sides; they count from today on, in local days of the bank. */
async function enter(
  { tx, profile, now }: Books,
  movements: readonly Movement[],
  { clearingId, status }: Terms,
): Promise<void> {
  const today = dayIn(profile.timeZone, now);
  const bookedOn = status === "booked" ? today : null;
  const dates = { status, enteredOn: today, bookedOn, valueOn: today, changedAt: now };
  const transfers = movements.map((movement) => ({ ...movement, ...dates }));
  await enterTransfers(tx, transfers, clearingId);
}

type LockedAccount = Pick<typeof ledgerAccount.$inferSelect, "id" | "currency" | "kind" | "status">;

/**
 * Customers' accounts, held until the end of the transaction. In the order of their ids: of two that pay
 * each other at once, one waits for the other.
 */
async function lockAccounts(
  tx: LedgerTransaction,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, LockedAccount>> {
  const { id, currency, kind, status } = ledgerAccount;
  const rows = await tx
    .select({ id, currency, kind, status })
    .from(ledgerAccount)
    .where(inArray(id, ids))
    .orderBy(asc(id))
    .for("no key update");
  return new Map(rows.map((row) => [row.id, row]));
}

/** By country and bank code: this bank's, whether or not there is such an account. */
function isOwnIban(iban: Iban, { country, bankCode }: AspspProfile): boolean {
  return iban.startsWith(country) && iban.startsWith(bankCode, 4);
}

/**
 * The bank's references of what a payment enters. Each is unique within an account, so neither debit
 * nor credit can be entered twice; 34 characters of the standard's 35 at most.
 */
function referencesOf(id: PaymentId) {
  const hex = id.replaceAll("-", "");
  return {
    debit: hex,
    fee: `F${hex}`,
    credit: `C${hex}`,
    return: `R${hex}`,
    feeReturn: `RF${hex}`,
  } as const;
}

/**
 * ISO 20022 bank transaction codes, as the debtor's account has them and as the creditor's: payments, then the family,
 * then SEPA, domestic, same day or cross-border.
 */
const transactionCodes = {
  "sepa-credit-transfers": { sent: "PMNT-ICDT-ESCT", received: "PMNT-RCDT-ESCT" },
  "instant-sepa-credit-transfers": { sent: "PMNT-IRCT-DMCT", received: "PMNT-RRCT-DMCT" },
  "target-2-payments": { sent: "PMNT-ICDT-SDVA", received: "PMNT-RCDT-SDVA" },
  "cross-border-credit-transfers": { sent: "PMNT-ICDT-XBCT", received: "PMNT-RCDT-XBCT" },
} as const satisfies Record<PaymentProduct, unknown>;

const CHARGES = "PMNT-ICDT-CHRG";
const PAYMENT_RETURNED = "PMNT-ICDT-RRTN";
