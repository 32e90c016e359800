import { expect, test } from "vitest";
import { databaseBefore } from "./testing-migrations";

test("a bank of the release before is brought up to date with what is in it", async () => {
  const { sql, migrate } = await databaseBefore("ais_rules");
  const account = "00000000-0000-4000-8000-000000000001";
  await sql`insert into ledger_account (id, iban, currency, bic, name, product, kind, usage, status,
      is_default, overdraft_minor, position)
    values (${account}, 'RO49DRWB1B31007593840000', 'RON', 'DRWBROBU', 'n', 'p', 'current', 'PRIV',
      'enabled', true, 0, 1)`;
  const entry = (booked: string | null) => sql`
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on, booked_on,
      bank_transaction_code, changed_at)
    values (gen_random_uuid(), gen_random_uuid(), ${account}, ${booked === null ? "pending" : "booked"},
      1, '2026-11-18', ${booked}, 'PMNT-RCDT-ESCT', now())`;
  await entry("2026-11-19");
  await entry(null);
  const kept = (model: string, id: string, payload: string, consumed: string | null) => sql`
    insert into oidc_payload (model, id_hash, grant_id, payload, expires_at, consumed_at)
    values (${model}, ${id}, 'g', ${payload}::text::json, now(), ${consumed})`;
  await kept("Grant", "g", "{}", null);
  await kept("RefreshToken", "first", "{}", "2026-11-19");
  await kept("RefreshToken", "second", '{"rotations":1}', "2026-11-20");
  await kept("RefreshToken", "newest", '{"rotations":2}', null);

  await migrate();
  await sql`update ledger_entry set status = 'booked', booked_on = '2026-11-20' where booked_on is null`;
  const entries = await sql`select entered_in::int, booked_in::int, pending_day::text
    from ledger_entry order by booked_in`;
  expect(entries).toEqual([
    { entered_in: 0, booked_in: 0, pending_day: null },
    { entered_in: 0, booked_in: 1, pending_day: "2026-11-18" },
  ]);
  const grants = await sql`select rotations from oidc_payload where model = 'Grant'`;
  expect(grants).toEqual([{ rotations: 2 }]);
});
