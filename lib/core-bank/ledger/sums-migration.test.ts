import { expect, test } from "vitest";
import { connect } from "@/lib/postgres/client";
import { databaseBefore } from "@/lib/postgres/testing-migrations";
import { sumsThatDiffer } from "./testing-sums";

test("the entries of a bank of the release before are added up, and those to come are added", async () => {
  const { sql, url, migrate } = await databaseBefore("balances");
  const account = (nth: number, kind: "current" | "internal") => sql`
    insert into ledger_account (id, iban, currency, bic, name, product, kind, usage, status,
      is_default, overdraft_minor, position)
    values (${idOf(nth)}, ${kind === "internal" ? null : "RO49DRWB1B31007593840000"}, 'RON', 'DRWBROBU',
      'n', 'p', ${kind}, 'PRIV', 'enabled', true, 0, 1)`;
  const entry = (amount: number, bookedOn: string | null, valueOn: string | null) => sql`
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on, booked_on,
      value_on, bank_transaction_code, changed_at)
    select gen_random_uuid(), transfer, account, ${bookedOn === null ? "pending" : "booked"}, amount,
      '2026-11-01', ${bookedOn}::date, ${valueOn}::date, 'PMNT-RCDT-ESCT', '2026-11-18T08:00:00Z'
    from gen_random_uuid() transfer,
      (values (${idOf(1)}::uuid, ${amount}::int), (${idOf(2)}::uuid, ${-amount}::int)) side (account, amount)`;
  await account(1, "current");
  await account(2, "internal");
  await entry(100, "2026-11-18", "2026-11-18");
  await entry(-30, "2026-11-19", null);
  await entry(-5, null, "2026-11-20");
  await entry(2, null, null);

  await migrate();
  const bank = connect(url, { max: 1 });
  try {
    expect(await sumsThatDiffer(bank.db)).toEqual([]);
    const funds = await sql`select available_minor::int from account_funds`;
    expect(funds).toEqual([{ available_minor: 65 }]);
    await entry(-7, null, null);
    await sql`update ledger_entry set status = 'booked', booked_on = '2026-11-20' where booked_on is null`;
    expect(await sumsThatDiffer(bank.db)).toEqual([]);
  } finally {
    await bank.close();
  }
});

const idOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
