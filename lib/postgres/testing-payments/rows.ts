import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Model, Payee } from "./model";

export type Account = { readonly id: AccountId; readonly iban: Iban };

export type Parties = Pick<Model, "credited" | "overdraft" | "ownLimit"> & {
  readonly tpp: Tpp;
  readonly psuId: PsuId;
  readonly debtor: Account;
  readonly payees: Readonly<Record<Payee, Account>>;
};

/** A run's rows as one text, which is one round trip; what is put into it is made here. */
export function rowsOf({ tpp, psuId, debtor, payees, ...terms }: Parties): string {
  const { credited, overdraft, ownLimit } = terms;
  const common = "'EUR', 'DRWBROBU', 'Account', 'Account', 'current', 'PRIV', true, 0";
  return `
    insert into tpp values ('${tpp.id}', 'TPP', 'NBR', 'RO-NBR', '{PSP_PI}', now());
    insert into customer (id, name, payment_limit_minor) values ('${psuId}', 'Ana', ${ownLimit});
    insert into ledger_account
      (id, iban, status, overdraft_minor, currency, bic, name, product, kind, usage, is_default, position)
    values ('${debtor.id}', '${debtor.iban}', 'enabled', ${overdraft}, ${common}),
      ('${payees.inside.id}', '${payees.inside.iban}', 'enabled', 0, ${common}),
      ('${payees.closed.id}', '${payees.closed.iban}', 'deleted', 0, ${common});
    insert into account_owner values ('${debtor.id}', '${psuId}', 'owner');
    ${credited > 0n ? creditOf(debtor, credited) : ""}
    -- What a run that failed has left is none of this one's.
    update ledger_payment set due_at = null where due_at is not null;
    delete from payment_submission`;
}

export function creditOf({ id }: Account, amount: bigint): string {
  const day = "'2026-11-01'";
  return `insert into ledger_entry
      (id, transfer_id, account_id, amount_minor, status, entered_on, booked_on, bank_transaction_code, changed_at)
    select gen_random_uuid(), '${crypto.randomUUID()}', side.id, side.amount, 'booked', ${day}, ${day}, 'PMNT-RCDT-ESCT', now()
    from (select '${id}'::uuid as id, ${amount} as amount union all
      select id, -${amount} from ledger_account where kind = 'internal' and currency = 'EUR') as side;`;
}
