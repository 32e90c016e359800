import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import {
  accountFunds,
  accountOwner,
  customer,
  ledgerAccount,
  ledgerPayment,
  ledgerPaymentStatus,
  paymentLimitDay,
} from "@/drizzle/schema/ledger";
import { accountMeant } from "@/lib/domain/accounts";
import { type AspspProfile, convert, hasRate } from "@/lib/domain/bank-profile";
import {
  type BankRefusal,
  type CoreBank,
  type CorePayments,
  type ExchangeRate,
  expiredCursor,
  type PaymentChanges,
  type PaymentProgress,
  type PaymentSubmission,
  type QuoteQuestion,
} from "@/lib/domain/core-bank";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import type { PaymentOrder } from "@/lib/domain/payment-order";
import { debitFrom, feeOf, type Step } from "@/lib/domain/payments";
import {
  type AccountId,
  type ChangePosition,
  type Currency,
  dayIn,
  fractionDigitsOf,
  type IsoDate,
  isUuid,
  type PaymentId,
  type PsuId,
} from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { accountsOf } from "./accounts";
import type { LedgerDatabase, LedgerReader, LedgerStatements, LedgerTransaction } from "./database";
import { type FindMagic, noMagic } from "./magic-payments";
import { coversDebit, type LedgerPayment, proceed, settlementAt } from "./payment-execution";

/** Payments at the embedded ledger, up to their acceptance; `paymentExecution` does the rest. */
export function corePayments(
  database: LedgerDatabase & LedgerReader & LedgerStatements,
  profile: AspspProfile,
  magic: FindMagic = noMagic,
): CorePayments {
  return {
    quotePayment: quoting(database, profile),
    submitPayment: (submission) => submit(database, { profile, magic }, submission),
    payment: (id) => progressOf(database, id),
    paymentChanges: (after) => changesAfter(database, after),
    limits: (customerId, now) => customerLimits(database, { customerId, now }, profile),
  };
}

/**
 * One transaction, in which the key of the payment decides: a repeated submission waits for the first, and is
 * answered with its progress. Locks the payment, then account and owner, then the PSU's day.
 */
async function submit(
  database: LedgerDatabase,
  rules: Pick<Submitted, "profile" | "magic">,
  submission: PaymentSubmission,
): Promise<PaymentProgress | "conflict"> {
  const { paymentId: id, order, debit, now } = submission;
  const digest = await linkedPayment({ id, order }, debit);
  return database.transaction(async (tx) => {
    const [payment] = await tx
      .insert(ledgerPayment)
      .values({ ...toRow(submission), digest, status: "ACTC" })
      .onConflictDoNothing({ target: ledgerPayment.id })
      .returning();
    if (payment !== undefined) {
      await proceed(tx, payment, await acceptance(tx, { payment, submission, ...rules }), now);
    } else if (!(await isSame(tx, id, digest))) {
      return "conflict";
    }
    const progress = await progressOf(tx, id);
    if (progress === undefined) throw new Error("a payment that was submitted is not there");
    return progress;
  });
}

function toRow({ paymentId, order, customerId, debit, authorisedAt }: PaymentSubmission) {
  const { amount, debtor, creditor } = order;
  return {
    id: paymentId,
    psuId: customerId,
    product: order.product,
    amountMinor: amount.minorUnits,
    currency: amount.currency,
    debtorIban: debtor.iban,
    creditorName: creditor.name,
    creditorIban: creditor.iban,
    creditorCurrency: creditor.currency,
    creditorAgent: creditor.agent,
    endToEndId: order.endToEndId,
    remittance: order.remittance,
    rejectWithoutFunds: order.rejectWithoutFunds,
    authorisedAt,
    accountId: debit.accountId,
    debitMinor: debit.amount.minorUnits,
    feeMinor: debit.fee.minorUnits,
    debitCurrency: debit.amount.currency,
  };
}

async function isSame(tx: LedgerReader, id: PaymentId, digest: string): Promise<boolean> {
  const [known] = await tx
    .select({ digest: ledgerPayment.digest })
    .from(ledgerPayment)
    .where(eq(ledgerPayment.id, id));
  return known?.digest === null || known?.digest === digest;
}

type Submitted = {
  readonly payment: LedgerPayment;
  readonly submission: PaymentSubmission;
  readonly profile: AspspProfile;
  /** In the sandbox only. */
  readonly magic: FindMagic;
};

type Acceptance = Step & Partial<Pick<LedgerPayment, "limitDay" | "limitMinor" | "fundsAvailable">>;

/** Its execution is due at once. Funds are only looked at here: they are reserved when it begins. */
async function acceptance(
  tx: LedgerTransaction,
  { payment, submission, profile, magic }: Submitted,
): Promise<Acceptance> {
  const refused = (reason: BankRefusal) => ({ to: "RJCT", reason }) as const;
  if ((await lockDebitedAccount(tx, submission)) !== "enabled") return refused("account-blocked");
  const { psuId } = payment;
  const limitMinor = inLimitCurrency(submission.order, profile);
  const ownLimit = await ownLimitOf(tx, psuId);
  if (ownLimit !== null && limitMinor > ownLimit) return refused("psu-limit");
  const limitDay = dayIn(profile.timeZone, payment.authorisedAt);
  const taken = { psuId, day: limitDay, usedMinor: limitMinor };
  if (!(await takeOfDayLimit(tx, taken, profile))) return refused("day-limit");
  const found = magic(payment)?.enough?.("ACCP");
  const fundsAvailable = found ?? (await coversDebit(tx, payment));
  return { to: "ACCP", dueAt: submission.now, limitDay, limitMinor, fundsAvailable };
}

/**
 * Undefined unless it is an open payment account of this PSU and the one that the order names. Both rows
 * are locked: a change that is under way is waited for, and what it leaves is what counts.
 */
async function lockDebitedAccount(
  tx: LedgerTransaction,
  { order: { debtor }, customerId, debit }: PaymentSubmission,
) {
  const [account] = await tx
    .select({ status: ledgerAccount.status })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, ledgerAccount.id))
    .where(
      and(
        eq(ledgerAccount.id, debit.accountId),
        eq(ledgerAccount.iban, debtor.iban),
        eq(ledgerAccount.currency, debit.amount.currency),
        eq(ledgerAccount.kind, "current"),
        ne(ledgerAccount.status, "deleted"),
        eq(accountOwner.customerId, customerId),
      ),
    )
    .for("no key update");
  return account?.status;
}

function inLimitCurrency({ amount }: PaymentOrder, profile: AspspProfile): bigint {
  return convert(amount, profile.payments.psuDayLimit.currency, profile).minorUnits;
}

/** The most in one payment, as set in the bank's own channel; null when nothing is. */
async function ownLimitOf(tx: LedgerReader, psuId: PsuId): Promise<bigint | null> {
  const [row] = await tx
    .select({ limit: customer.paymentLimitMinor })
    .from(customer)
    .where(eq(customer.id, psuId));
  return row?.limit ?? null;
}

/**
 * Takes the amount of what the PSU may send on this local day. False, and nothing is taken, when too
 * little is left: the condition stands in the update, so payments at once never pass it together.
 */
async function takeOfDayLimit(
  tx: LedgerTransaction,
  taken: typeof paymentLimitDay.$inferInsert,
  { payments: { psuDayLimit } }: AspspProfile,
): Promise<boolean> {
  if (taken.usedMinor > psuDayLimit.minorUnits) return false;
  const together = sql`${paymentLimitDay.usedMinor} + excluded.used_minor`;
  const rows = await tx
    .insert(paymentLimitDay)
    .values(taken)
    .onConflictDoUpdate({
      target: [paymentLimitDay.psuId, paymentLimitDay.day],
      set: { usedMinor: together },
      setWhere: lte(together, psuDayLimit.minorUnits),
    })
    .returning({ day: paymentLimitDay.day });
  return rows.length === 1;
}

/** One statement, hence as of one instant. */
async function progressOf(tx: LedgerReader, id: PaymentId): Promise<PaymentProgress | undefined> {
  return isUuid(id) ? (await progressesOf(tx, [id])).get(id) : undefined;
}

async function progressesOf(tx: LedgerReader, ids: readonly PaymentId[]) {
  const rows = await tx
    .select({ payment: ledgerPayment, step: ledgerPaymentStatus })
    .from(ledgerPayment)
    .innerJoin(ledgerPaymentStatus, eq(ledgerPaymentStatus.paymentId, ledgerPayment.id))
    .where(inArray(ledgerPayment.id, ids))
    .orderBy(asc(orderOfStatuses));
  const progresses = new Map<PaymentId, PaymentProgress>();
  for (const { payment, step } of rows) {
    const { id, status, fundsAvailable, dueAt } = payment;
    const before = progresses.get(id)?.history ?? [];
    progresses.set(id, {
      status,
      history: [...before, withoutNulls({ status: step.status, at: step.at, reason: step.reason })],
      ...withoutNulls({ fundsAvailable, nextAt: dueAt }),
    });
  }
  return progresses;
}

const CHANGES_AT_ONCE = 200;
const BEGINNING = `0.${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}` as ChangePosition;
const POSITION = /^(?<changedIn>\d{1,20})\.(?<paymentId>[0-9a-f-]{36})$/;

/**
 * A position is a transaction's number and a payment. A transaction with a lower number may still be running, so those
 * from the oldest running one on are left for a later page.
 */
async function changesAfter(
  tx: LedgerReader,
  after: ChangePosition = BEGINNING,
): Promise<PaymentChanges> {
  const { changedIn, paymentId } = POSITION.exec(after)?.groups ?? {};
  if (changedIn === undefined || paymentId === undefined || !isUuid(paymentId)) {
    throw expiredCursor();
  }
  const { changedIn: number, paymentId: id } = ledgerPaymentStatus;
  const rows = await tx
    .select({ changedIn: sql<string>`${number}::text`, id })
    .from(ledgerPaymentStatus)
    .where(
      and(
        sql`(${number}, ${id}) > (${changedIn}::xid8, ${paymentId}::uuid)`,
        sql`${number} < pg_snapshot_xmin(pg_current_snapshot())`,
      ),
    )
    .orderBy(asc(number), asc(id))
    .limit(CHANGES_AT_ONCE);
  const ids = [...new Set(rows.map((row) => row.id))];
  const progresses = await progressesOf(tx, ids);
  const last = rows.at(-1);
  if (last === undefined && (await isAhead(tx, changedIn))) throw expiredCursor();
  return {
    changes: ids.flatMap((paymentId) => {
      const progress = progresses.get(paymentId);
      return progress === undefined ? [] : [{ paymentId, ...progress }];
    }),
    next: last ? (`${last.changedIn}.${last.id}` as ChangePosition) : after,
  };
}

/** A transaction that has not begun yet: the position was told before a backup was restored, or by another database. */
async function isAhead(tx: LedgerReader, changedIn: string): Promise<boolean> {
  const [row] = await tx
    .select({ ahead: sql<boolean>`${changedIn}::xid8 >= newest` })
    .from(sql`pg_snapshot_xmax(pg_current_snapshot()) as newest`);
  return row?.ahead === true;
}

async function customerLimits(
  database: LedgerReader,
  { customerId, now }: Pick<QuoteQuestion, "customerId" | "now">,
  profile: AspspProfile,
) {
  if (!isUuid(customerId)) return undefined;
  const { psuId, day, usedMinor: used } = paymentLimitDay;
  const today = dayIn(profile.timeZone, now);
  const [row] = await database
    .select({ ownLimit: customer.paymentLimitMinor, used })
    .from(customer)
    .leftJoin(paymentLimitDay, and(eq(psuId, customerId), eq(day, today)))
    .where(eq(customer.id, customerId));
  if (row === undefined) return undefined;
  const { currency, minorUnits } = profile.payments.psuDayLimit;
  return {
    ...(row.ownLimit !== null && { onePayment: { currency, minorUnits: row.ownLimit } }),
    day: { currency, minorUnits },
    usedToday: { currency, minorUnits: row.used ?? 0n },
  };
}

/** Not by their instants: a clock may be set back. */
const orderOfStatuses = sql`array_position(array['ACCP', 'PDNG', 'ACSP', 'ACSC', 'ACCC', 'RJCT'], ${ledgerPaymentStatus.status})`;

function quoting(
  database: LedgerReader & LedgerStatements,
  profile: AspspProfile,
): CoreBank["quotePayment"] {
  const ownAccounts = accountsOf(database);
  return async ({ customerId, order, now }) => {
    const own = await ownAccounts(customerId);
    const account = accountMeant(order.debtor, own, order.amount.currency);
    // A statement may have been imported in any currency: without a rate it can be read, and not paid from.
    if (account === undefined || !hasRate(account.currency, profile)) return undefined;
    const debit = debitFrom(account, order, profile);
    const { availableMinor, ownLimit, used } = await limitsOf(database, {
      customerId,
      accountId: account.id,
      day: dayIn(profile.timeZone, now),
    });
    const { currency, minorUnits: dayLimit } = profile.payments.psuDayLimit;
    const counted = inLimitCurrency(order, profile);
    const refusals: readonly (readonly [boolean, BankRefusal])[] = [
      [account.status !== "enabled", "account-blocked"],
      [ownLimit !== null && counted > ownLimit, "psu-limit"],
      [counted + (used ?? 0n) > dayLimit, "day-limit"],
    ];
    return {
      account,
      debit,
      fee: feeOf(order, profile),
      rate: rateBetween(order.amount.currency, account.currency, profile),
      fundsAvailable: availableMinor >= debit.amount.minorUnits + debit.fee.minorUnits,
      executionDate: dayIn(profile.timeZone, settlementAt(order, profile, now)),
      ownLimit: ownLimit === null ? undefined : { currency, minorUnits: ownLimit },
      refusal: refusals.find(([applies]) => applies)?.[1],
    };
  };
}

type Limited = Pick<QuoteQuestion, "customerId"> & {
  readonly accountId: AccountId;
  readonly day: IsoDate;
};

/** What `acceptance` looks at, without a lock. */
async function limitsOf(database: LedgerReader, { customerId, accountId, day }: Limited) {
  const { psuId, day: limitDay, usedMinor: used } = paymentLimitDay;
  const [row] = await database
    .select({
      availableMinor: accountFunds.availableMinor,
      ownLimit: customer.paymentLimitMinor,
      used,
    })
    .from(accountFunds)
    .innerJoin(customer, eq(customer.id, customerId))
    .leftJoin(paymentLimitDay, and(eq(psuId, customerId), eq(limitDay, day)))
    .where(eq(accountFunds.accountId, accountId));
  if (row === undefined) throw new Error("an account of a customer is gone");
  return row;
}

/** With six decimals. */
function rateBetween(
  from: Currency,
  to: Currency,
  profile: AspspProfile,
): ExchangeRate | undefined {
  if (from === to) return undefined;
  const unitOf = (currency: Currency) => 10n ** BigInt(fractionDigitsOf(currency));
  const million = { currency: from, minorUnits: 1_000_000n * unitOf(from) };
  const { minorUnits } = convert(million, to, profile);
  const millionths = (minorUnits + unitOf(to) / 2n) / unitOf(to);
  return {
    from,
    to,
    rate: `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, "0")}`,
    source: profile.name,
  };
}
