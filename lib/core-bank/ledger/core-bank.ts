import { and, asc, eq, sql } from "drizzle-orm";
import { accountFunds, accountOwner, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { standingOrder } from "@/drizzle/schema/ledger/standing-orders";
import type { Counterparty, StandingOrder } from "@/lib/domain/accounts";
import { type AspspProfile, aspspProfile } from "@/lib/domain/bank-profile";
import type { AvailableFunds, CoreBank } from "@/lib/domain/core-bank";
import { type AccountId, type Currency, type Iban, isUuid, type PsuId } from "@/lib/domain/values";
import { accounts, accountsColumn, accountsOf, isPaymentAccount, oneRow } from "./accounts";
import { balances } from "./balances";
import type { LedgerDatabase, LedgerReader } from "./database";
import { corePayments } from "./payments";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each read of an account is one statement, prepared once for a connection. */
export function ledger(
  database: LedgerDatabase & LedgerReader,
  profile: AspspProfile = aspspProfile,
): CoreBank {
  return {
    accountsOf: accountsOf(database),
    accounts: accounts(database),
    balances: balances(database),
    transactions: transactions(database),
    transaction: transaction(database),
    standingOrders: standingOrders(database),
    availableFunds: availableFunds(database),
    ...corePayments(database, profile),
  };
}

/** Of an account of this customer. */
export function availableFunds(database: LedgerReader) {
  const { id, currency, status } = ledgerAccount;
  const statement = database
    .select({ currency, status, minorUnits: accountFunds.availableMinor })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, id))
    .innerJoin(accountFunds, eq(accountFunds.accountId, id))
    .where(
      and(
        eq(id, sql.placeholder("accountId")),
        eq(accountOwner.customerId, sql.placeholder("customerId")),
        isPaymentAccount,
      ),
    )
    .prepare("available_funds");
  return async (accountId: AccountId, customerId: PsuId): Promise<AvailableFunds | undefined> => {
    if (!isUuid(accountId) || !isUuid(customerId)) return undefined;
    const [row] = await statement.execute({ accountId, customerId });
    if (row === undefined) return undefined;
    const { minorUnits, ...account } = row;
    return { ...account, available: { currency: account.currency, minorUnits } };
  };
}

/** By day of execution, those without one last; the account comes with each of them, and without any. */
function standingOrders(database: LedgerReader): CoreBank["standingOrders"] {
  const account = sql.placeholder("accountId");
  const statement = database
    .select({ list: accountsColumn(eq(ledgerAccount.id, account)), order: standingOrder })
    .from(oneRow)
    .leftJoin(standingOrder, eq(standingOrder.accountId, account))
    .orderBy(asc(standingOrder.dayOfExecution), asc(standingOrder.id))
    .prepare("standing_orders");
  return async (accountId) => {
    if (!isUuid(accountId)) return undefined;
    const rows = await statement.execute({ accountId });
    const found = rows[0]?.list[0];
    if (found === undefined) return undefined;
    const orders = rows.flatMap(({ order }) => (order === null ? [] : [order]));
    return {
      account: found,
      standingOrders: orders.map((order) => toStandingOrder(order, found.currency)),
    };
  };
}

function toStandingOrder(
  order: typeof standingOrder.$inferSelect,
  currency: Currency,
): StandingOrder {
  return {
    id: order.id,
    amount: { currency, minorUnits: order.amountMinor },
    counterparty: counterpartyOf(order),
    startDate: order.startOn,
    frequency: order.frequency,
    ...withoutNulls({
      remittance: order.remittance,
      endDate: order.endOn,
      dayOfExecution: order.dayOfExecution === null ? null : String(order.dayOfExecution),
    }),
  };
}

type CounterpartyColumns = {
  readonly counterpartyName: string | null;
  readonly counterpartyIban: Iban | null;
  readonly counterpartyBic: string | null;
};

function counterpartyOf(row: CounterpartyColumns): Counterparty {
  return withoutNulls({
    name: row.counterpartyName,
    iban: row.counterpartyIban,
    bic: row.counterpartyBic,
  });
}

type WithoutNulls<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & { [Key in keyof Row as null extends Row[Key] ? Key : never]?: NonNullable<Row[Key]> };

/** SQL says null, the domain leaves the member out. */
function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  // Object.entries forgets which members there are; the type says what the filter did.
  return Object.fromEntries(present) as WithoutNulls<Row>;
}
