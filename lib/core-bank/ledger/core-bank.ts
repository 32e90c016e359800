import type { StandingOrder } from "@/lib/domain/accounts";
import { type AspspProfile, convert, hasRate } from "@/lib/domain/bank-profile";
import type { CoreBank, FundsAnswer } from "@/lib/domain/core-bank";
import { type Currency, type Iban, type IsoDate, isUuid, type Money } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import {
  accountShown,
  accounts,
  accountsOf,
  isShown,
  type OwnedAccount,
  toAccounts,
} from "./accounts";
import { balances } from "./balances";
import type { LedgerDatabase, LedgerReader, LedgerStatements } from "./database";
import type { FindMagic } from "./magic-payments";
import { corePayments } from "./payments";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each read of an account is one statement. */
export function ledger(
  database: LedgerDatabase & LedgerReader & LedgerStatements,
  profile: AspspProfile,
  magic?: FindMagic,
): CoreBank {
  return {
    accountsOf: accountsOf(database),
    accounts: accounts(database),
    balances: balances(database, profile),
    transactions: transactions(database),
    transaction: transaction(database),
    standingOrders: standingOrders(database),
    checkFunds: checkFunds(database, profile),
    ...corePayments(database, profile, magic),
  };
}

/** Balance plus overdraft less what is reserved, against the amount; of an account of this customer. */
export function checkFunds(
  { $client }: LedgerStatements,
  profile: AspspProfile,
): CoreBank["checkFunds"] {
  type Row = Pick<FundsAnswer, "status"> & {
    readonly currency: Currency;
    readonly available: string;
  };
  return async ({ accountId, customerId, amounts }) => {
    if (!isUuid(accountId) || !isUuid(customerId)) return undefined;
    const [row] = await $client.run(
      (sql) => sql<Row[]>`
        select account.currency, account.status, account_funds.available_minor as available
        from ledger_account account
        join account_owner owner on owner.account_id = account.id and owner.customer_id = ${customerId}
        join account_funds on account_funds.account_id = account.id
        where account.id = ${accountId} and ${isShown(sql)}`,
    );
    if (row === undefined) return undefined;
    const { currency, status, available } = row;
    const compared = amounts.map((asked) => {
      const amount = amountIn(currency, asked, profile);
      return amount && { amount, isCovered: amount.minorUnits <= BigInt(available) };
    });
    return { currency, status, compared };
  };
}

/** Undefined where one of the two currencies has no rate. */
function amountIn(to: Currency, amount: Money, profile: AspspProfile): Money | undefined {
  if (to === amount.currency) return amount;
  return hasRate(to, profile) && hasRate(amount.currency, profile)
    ? convert(amount, to, profile)
    : undefined;
}

/** All null without a standing order. */
type Order = {
  readonly id: StandingOrder["id"] | null;
  readonly amount: string;
  readonly name: string | null;
  readonly iban: Iban | null;
  readonly bic: string | null;
  readonly remittance: string | null;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly frequency: StandingOrder["frequency"];
  readonly dayOfExecution: string | null;
};

/** By day of execution, those without one last; the account comes with each of them, and without any. */
function standingOrders({ $client }: LedgerStatements): CoreBank["standingOrders"] {
  type Row = Order & { readonly list: readonly OwnedAccount[] };
  return async ({ accountId, customerId }) => {
    if (!isUuid(accountId) || !isUuid(customerId)) return undefined;
    const rows = await $client.run(
      (sql) => sql<Row[]>`
        select ${accountShown(sql, { accountId, customerId })} as list, id, amount_minor as amount,
          counterparty_name as name, counterparty_iban as iban, counterparty_bic as bic, remittance,
          start_on as "startDate", end_on as "endDate", frequency, day_of_execution::text as "dayOfExecution"
        from (values (1)) as one left join standing_order on account_id = ${accountId}
        order by day_of_execution, id`,
    );
    const [account] = toAccounts(rows[0]?.list ?? []);
    if (account === undefined) return undefined;
    return {
      account,
      standingOrders: rows.flatMap((row) => toStandingOrder(row, account.currency)),
    };
  };
}

function toStandingOrder(row: Order, currency: Currency): readonly StandingOrder[] {
  const { id, amount, name, iban, bic, remittance, endDate, dayOfExecution } = row;
  if (id === null) return [];
  return [
    {
      id,
      amount: { currency, minorUnits: BigInt(amount) },
      counterparty: withoutNulls({ name, iban, bic }),
      startDate: row.startDate,
      frequency: row.frequency,
      ...withoutNulls({ remittance, endDate, dayOfExecution }),
    },
  ];
}
