import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import type { World } from "./world";

/**
 * One payment: `had` is each status it has had at Drawbridge, and `ledger` at the ledger, in the order of time;
 * `due` is when the ledger looks at it again, in milliseconds.
 */
export type PaymentRow = {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly had: readonly TransactionStatus[];
  readonly ledger: readonly TransactionStatus[];
  readonly due: number | null;
  readonly inOutbox: boolean;
  readonly sca: ScaStatus;
  readonly failed: number;
};

/** Everything there is, and of it what is pending; minor units as text. */
export type Total = { readonly total: string; readonly pending: string };

/** All that is kept of one run. */
export type Books = {
  readonly payments: readonly PaymentRow[];
  readonly debtor: Total;
  readonly inside: Total;
  readonly closed: Total;
  /** Transfers with a side in this run whose sides of a currency do not add up to zero. */
  readonly unbalanced: readonly string[];
  /** What was taken of the PSU's limit of each day. */
  readonly days: readonly { readonly day: string; readonly used: string }[];
};

/** A status that was left at the instant in which it was entered comes first. */
const ORDER = "{RCVD,ACTC,ACCP,PDNG,ACSP,ACSC,ACCC,RJCT}";

/** Everything in one statement, so that it is of one instant. */
export async function booksOf({ database, tpp, psuId, debtor, payees }: World): Promise<Books> {
  const { sql } = database;
  const mine = `{${[debtor.id, payees.inside.id, payees.closed.id].join()}}`;
  const [row] = await sql<{ books: Books }[]>`
    with "side" as (
      select account_id, sum(amount_minor) as total, coalesce(sum(amount_minor) filter (where status = 'pending'), 0) as pending
      from ledger_entry where account_id = any(${mine}::uuid[]) group by account_id
    ), "total" as (
      select m.id, json_build_object('total', coalesce(total, 0)::text, 'pending', coalesce(pending, 0)::text) as is
      from unnest(${mine}::uuid[]) as m (id) left join "side" on account_id = m.id
    ) select json_build_object(
      'payments', coalesce((
        select json_agg(json_build_object('id', p.id, 'status', s.status,
          'had', (
            select json_agg(c.status order by c.at, array_position(${ORDER}::text[], c.status))
            from payment_status_change c where c.payment_id = p.id),
          'ledger', coalesce((
            select json_agg(c.status order by c.at, array_position(${ORDER}::text[], c.status))
            from ledger_payment_status c where c.payment_id = p.id), '[]'),
          'due', (select round(extract(epoch from l.due_at) * 1000) from ledger_payment l where l.id = p.id),
          'inOutbox', exists (select from payment_submission o where o.payment_id = p.id),
          'sca', a.sca_status, 'failed', a.failed_attempts) order by p.id)
        from payment p join payment_state s on s.payment_id = p.id
        join authorisation a on a.id = p.authorisation_id where p.tpp_id = ${tpp.id}), '[]'),
      'debtor', (select "is" from "total" where id = ${debtor.id}),
      'inside', (select "is" from "total" where id = ${payees.inside.id}),
      'closed', (select "is" from "total" where id = ${payees.closed.id}),
      'unbalanced', coalesce((
        select json_agg(u.transfer_id) from (
          select e.transfer_id from ledger_entry e join ledger_account l on l.id = e.account_id
          where e.transfer_id in (select transfer_id from ledger_entry where account_id = any(${mine}::uuid[]))
          group by e.transfer_id, l.currency having sum(e.amount_minor) <> 0) u), '[]'),
      'days', coalesce((
        select json_agg(json_build_object('day', d.day, 'used', d.used_minor::text) order by d.day)
        from payment_limit_day d where d.psu_id = ${psuId}), '[]')
    ) as books`;
  if (row === undefined) throw new Error("no row");
  return row.books;
}

export function rowOf({ payments }: Books, id: string): PaymentRow {
  const row = payments.find((payment) => payment.id === id);
  if (row === undefined) throw new Error("an acknowledged payment is lost");
  return row;
}
