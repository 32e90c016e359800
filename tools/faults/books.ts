import type postgres from "postgres";
import { movesOf, sumsOfCurrencies } from "@/lib/core-bank/ledger/testing";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import { type Customer, OPENING } from "./customers";

/** What the bank has in its database at the end; amounts in minor units. */
export type Books = {
  readonly payments: readonly BookedPayment[];
  readonly consents: readonly { readonly id: string; readonly requestId: string }[];
  /** Lines of the access log, by consent. */
  readonly reads: ReadonlyMap<string, number>;
  /** What has left the customers' accounts, negative, and what has come. */
  readonly moves: readonly { readonly requestId: string; readonly amount: bigint }[];
  /** Of all entries of the ledger. */
  readonly sums: readonly { readonly currency: string; readonly sum: bigint }[];
};

export type BookedPayment = {
  readonly id: string;
  /** From the remittance, which nothing but the TPP's own body has set. */
  readonly requestId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly status: TransactionStatus;
  /** Whether the payee is a customer too. */
  readonly staysHere: boolean;
  /** The bank means to do something about it yet. */
  readonly isDue: boolean;
};

const ONE_SNAPSHOT = "isolation level repeatable read read only";

/** Read in one snapshot of each database: what a worker does meanwhile shows whole or not at all. */
export function readBooks(
  sql: postgres.Sql,
  customers: readonly Customer[],
  ledger = sql,
): Promise<Books> {
  const ibans = customers.flatMap(({ accounts }) => Object.values(accounts));
  const read = async (snapshot: postgres.TransactionSql, moved: postgres.TransactionSql) => ({
    payments: (await bookedPayments(snapshot, ibans)).map(({ amount, ...payment }) => ({
      ...payment,
      amount: BigInt(amount),
    })),
    consents: await bookedConsents(snapshot),
    reads: await loggedReads(snapshot),
    moves: (await movesOf(moved, ibans))
      .filter(({ remittance }) => remittance !== OPENING)
      .map(({ remittance, amount }) => ({ requestId: remittance ?? "without remittance", amount })),
    sums: await sumsOfCurrencies(moved),
  });
  return sql.begin(ONE_SNAPSHOT, (snapshot) =>
    ledger === sql
      ? read(snapshot, snapshot)
      : ledger.begin(ONE_SNAPSHOT, (moved) => read(snapshot, moved)),
  );
}

/** How many accepted payments the bank has not done with. */
export async function paymentsUnderWay(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from payment_state left join payment_submission using (payment_id)
    where due_at is not null or status in ('ACTC', 'ACCP', 'PDNG', 'ACSP')`;
  return row?.count ?? 0;
}

function bookedConsents(sql: postgres.TransactionSql) {
  return sql<{ id: string; requestId: string }[]>`
    select consent.id, started.request_id as "requestId"
    from account_consent consent join authorisation started on started.id = consent.authorisation_id`;
}

async function loggedReads(sql: postgres.TransactionSql): Promise<Books["reads"]> {
  const rows = await sql<{ consentId: string; count: number }[]>`
    select consent_id as "consentId", count(*)::int as count from access_log group by consent_id`;
  return new Map(rows.map(({ consentId, count }) => [consentId, count]));
}

type PaymentRow = Omit<BookedPayment, "amount"> & { readonly amount: string };

function bookedPayments(sql: postgres.TransactionSql, ibans: readonly string[]) {
  return sql<PaymentRow[]>`
    select payment.id, coalesce(payment.remittance, 'without remittance') as "requestId",
      payment.amount_minor::text as amount, payment.currency, state.status,
      payment.creditor_iban in ${sql(ibans)} as "staysHere",
      submission.due_at is not null or state.status in ('ACTC', 'ACCP', 'PDNG', 'ACSP') as "isDue"
    from payment left join payment_state state on state.payment_id = payment.id
      left join payment_submission submission on submission.payment_id = payment.id`;
}
