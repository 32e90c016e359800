import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { granted } from "@/clients/typescript/src";
import { movesOf } from "@/lib/core-bank/ledger/testing";
import { type Cluster, startCluster } from "@/tools/cluster/cluster";
import { ownDatabase } from "../harness/own-database";
import { ANA_TRAVEL, sepa } from "../harness/payment-request";
import { psuByForms } from "../harness/psu-by-forms";
import { expect, test } from "../harness/test";
import { type TestTpp, testTpp } from "../harness/test-tpp";

const PAYMENTS = 3;
const MARK = "at one of three";
const STATUSES = ["ACCP", "ACSC", "ACSP", "ACTC", "RCVD"];

test.setTimeout(300_000);

test("three servers, each request at another one: nobody sticks to a server, and what is to be done is done once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-cluster-"));
  const database = await ownDatabase(join(folder, "database"));
  const cluster = await startCluster({ folder, count: 3, databaseUrl: database.url });
  const sql = postgres(database.url, { max: 1 });
  const tpp = await testTpp({ bank: cluster.bank });
  try {
    const psu = psuByForms(cluster.bank.webUrl);
    for (let nth = 0; nth < PAYMENTS; nth += 1) {
      const named = { remittanceInformationUnstructured: `${MARK} ${nth}` };
      const asked = await tpp.askToPay(sepa(named));
      await psu.open(asked.request.url);
      await psu.agreeAtOnce("ana", tpp.name);
      await tpp.collect(asked);
    }
    await expect
      .poll(() => sql`select from payment_state where status = 'ACSC'`, { timeout: 30_000 })
      .toHaveLength(PAYMENTS);

    // With every server looking for payments each second, each step is on record once.
    const steps = await sql<{ statuses: readonly string[] }[]>`
      select array_agg(status::text order by status::text) as statuses
      from payment_status_change group by payment_id`;
    expect(steps.map(({ statuses }) => statuses)).toEqual(Array(PAYMENTS).fill(STATUSES));
    const debits = (await movesOf(sql, [ANA_TRAVEL])).flatMap(({ remittance, amount }) =>
      amount < 0n && remittance?.startsWith(MARK) ? [remittance] : [],
    );
    const once = Array.from({ length: PAYMENTS }, (_, nth) => `${MARK} ${nth}`);
    expect(debits.toSorted()).toEqual(once);

    await everyoneIsAsked(tpp, cluster);
  } finally {
    await Promise.all([tpp.close(), sql.end()]);
    await cluster.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** One client, one connection agent, nine calls: three at each. */
async function everyoneIsAsked(tpp: TestTpp, cluster: Cluster): Promise<void> {
  const { consentId } = await tpp.ask();
  const before = cluster.given().xs2a;
  for (let nth = 0; nth < 9; nth += 1) granted(await tpp.bank.consentStatus(consentId));
  const after = cluster.given().xs2a;
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([3, 3, 3]);
}
