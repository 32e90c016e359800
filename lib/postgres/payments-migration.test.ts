import { expect, test } from "vitest";
import { databaseBefore } from "./testing-migrations";

test("what was started before requests were kept gets an id of its own, and goes on", async () => {
  const { sql, migrate } = await databaseBefore("payments_and_funds");
  await sql`insert into tpp values ('PSDRO-NBR-1234567', 'Example TPP', 'National Bank of Romania',
    'RO-NBR', array['PSP_AI'], now())`;
  const started = (expiresAt: string) => sql`
    insert into authorisation (id, kind, resource_id, tpp_id, sca_status, redirect_uri,
      failed_attempts, selection, codes_sent, created_at, expires_at)
    values (gen_random_uuid(), 'AIS', gen_random_uuid(), 'PSDRO-NBR-1234567', 'received',
      'https://tpp.example/ok', 0, '{}', 0, now(), ${expiresAt}) returning id`;
  await started("2026-11-20T10:15:00Z");
  await started("2026-11-20T10:16:00Z");

  await migrate();
  const [counted] = await sql`select count(request_id)::int as ids,
    count(distinct request_id)::int as different from authorisation`;
  expect(counted).toEqual({ ids: 2, different: 2 });
  await sql`update authorisation set sca_status = 'failed', failed_because = 'window-over'`;
  await expect(started("2026-11-20T10:17:00Z")).rejects.toThrow("request_id");
});
