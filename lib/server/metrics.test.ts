import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Counter } from "prom-client";
import { afterAll, expect, it } from "vitest";
import type { Config } from "@/lib/config";
import { attemptLimits, type UserKey } from "@/lib/domain/psu-attempts";
import { addTime } from "@/lib/domain/values";
import { listXml, pem, startIssuing } from "@/lib/eidas/testing/issuing";
import { timed } from "@/lib/metrics";
import { eventLog } from "@/lib/postgres/events";
import { operationsOf } from "@/lib/postgres/job-health";
import { psuAttempts } from "@/lib/postgres/psu-attempts";
import { challengedPayment, now, payer, testStores, today } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { certificatesOf } from "@/lib/xs2a/testing/tpp";
import { freePort } from "./embedded-database";
import { startMetrics } from "./metrics";
import { measureRequest } from "./requests-seen";

const { database, stores } = await testStores();
const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-metrics-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function opened(more: Partial<Config> = {}) {
  const port = await freePort(0);
  const config = { DATABASE_URL: database.url, WORKERS: 1, ...more } as Config;
  const at = { setting: "XS2A_METRICS_PORT", port, loopbackOnly: true } as const;
  const { finish } = await startMetrics(at, config);
  const ask = async (target = "/metrics") => {
    const answer = await fetch(`http://127.0.0.1:${port}${target}`);
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, finish };
}

it("Prometheus reads requests by endpoint, the outbox, SCA, and the ends of certificates", async () => {
  const { qwacPem } = await certificatesOf();
  const file = path.join(folder, "xs2a.pem");
  await writeFile(file, qwacPem);
  const decision = await challengedPayment(stores, await payer(database.db));
  await stores.authorisations.finalisePayment(decision);
  // Of a sandbox whose clock is an hour ahead. Who has asked the core bank in vain waits before asking again.
  const ahead = 3_600_000;
  await database.sql`insert into sandbox_clock (offset_milliseconds) values (${ahead})`;
  await database.sql`update payment_state set status_at = now() + interval '1 hour' - interval '90 seconds'`;
  await database.sql`update payment_submission set due_at = now()`;
  const { submission } = aspspProfile.payments;
  const bankNow = new Date(Date.now() + ahead);
  const [claimed] = await stores.payments.claimSubmissions(bankNow, submission);
  expect(claimed?.status).toBe("ACTC");
  expect((await operationsOf(database.db)).paymentWaitsSince).toEqual(claimed?.statusAt);
  const detail = { element: "confirmation", means: "passkey" };
  await eventLog(database.db).record({ kind: "sca-proved", detail });
  const endpoint = "/open-banking/v3.1/aisp/v1/accounts/[accountId]";
  const url = "/open-banking/v3.1/aisp/v1/accounts/3dc3d5b3-7023-4848-9853-f5400a64e80f";
  measureRequest({ method: "GET", url, endpoint, tpp: "several", status: 200, tookMs: 4 });
  measureRequest({ method: "BREW", url: "/?iban=RO49AAAA1B31007593840000", tookMs: 4 });

  const { ask, finish } = await opened({ XS2A_TLS_CERT: file, NOTIFICATIONS_SEAL_CERT: file });
  const { status, text } = await ask();
  await finish();
  expect(status).toBe(200);
  const labels = `area="aisp",endpoint="${endpoint}",tpp="several",method="GET",status="200"`;
  expect(text).toContain(`drawbridge_request_duration_seconds_count{${labels}} 1`);
  const unknown = 'area="other",endpoint="other",tpp="none",method="other",status="none"';
  expect(text).toContain(`drawbridge_request_duration_seconds_count{${unknown}} 1`);
  expect(text).not.toContain("RO49");
  expect(text).not.toContain("3dc3d5b3");
  expect(text).toContain("drawbridge_outbox_payments 1");
  expect(Number(/overdue_seconds (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
  expect(Number(/events_unsealed_seconds ([\d.]+)/.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toContain('drawbridge_sca_last_five_minutes{kind="sca-proved",means="passkey"} 1');
  for (const setting of ["XS2A_TLS_CERT", "NOTIFICATIONS_SEAL_CERT"])
    expect(text).toMatch(new RegExp(`end_timestamp_seconds\\{setting="${setting}"\\} \\d{10}\n`));
  expect(text).toContain("drawbridge_database_reachable 1");
  expect(text).toContain("nodejs_eventloop_lag_seconds");
});

it("of SCA it is told what failed, by its reason, and who was blocked", async () => {
  const { ask, finish } = await opened();
  const kinds = ["failed-cancelled", "failed-window-over", "psu-blocked"];
  const counted = async () => {
    const { text } = await ask();
    const labels = (kind: string) => `sca_last_five_minutes{kind="${kind}",means="none"} `;
    return kinds.map((kind) => Number(text.split(labels(kind))[1]?.split("\n")[0] ?? 0));
  };
  const [cancelled = 0, over = 0, blocked = 0] = await counted();
  for (const because of ["cancelled", "cancelled", "window-over"] as const) {
    const { authorisationId: id } = await challengedPayment(stores, await payer(database.db));
    const at = addTime(now, 1, "hour");
    expect(await stores.authorisations.fail({ id, because, on: today, at })).toBe(true);
  }
  // One whose authorisation goes on has not failed.
  await challengedPayment(stores, await payer(database.db));
  const attempts = psuAttempts(database.db);
  const limits = attemptLimits(aspspProfile, now);
  const user = "fingerprint of one who guesses" as UserKey;
  for (let nth = 0; nth < limits.failuresMax; nth += 1)
    await attempts.take(user, "password", limits, now);
  await attempts.block(user, now, limits);
  expect(await counted()).toEqual([cancelled + 2, over + 1, blocked + 1]);
  const { text } = await ask();
  await finish();
  const shown = [...text.matchAll(/sca_last_five_minutes\{kind="([^"]*)"/g)].map(
    ([, kind]) => kind,
  );
  expect(new Set(shown)).toEqual(new Set(["sca-attempt", "sca-proved", ...kinds]));
});

it("of the browser host each folder of pages is an endpoint, and nothing else that browsers ask for", async () => {
  const app = path.join(import.meta.dirname, "../../app");
  const groups = ["(docs)", "(psu)", "(sandbox)", "(staff)", "(statistics)"];
  const entries = groups.map((group) => readdir(path.join(app, group), { withFileTypes: true }));
  const folders = (await Promise.all(entries)).flat().filter((entry) => entry.isDirectory());
  const paths = folders.map(({ name }) => `/${name}`);
  expect(paths).toContain("/permissions");
  const { ask, finish } = await opened();
  const counted = async (endpoint: string) => {
    const { text } = await ask();
    const ofEndpoint = `duration_seconds_count\\{[^}]*endpoint="${endpoint}",tpp="none",[^}]*\\} (\\d+)`;
    const counts = [...text.matchAll(new RegExp(ofEndpoint, "g"))];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  for (const folder of [...paths, "/auth", "/_next"]) {
    const before = await counted(folder);
    measureRequest({ method: "GET", url: folder, status: 200, tookMs: 4 });
    measureRequest({ method: "GET", url: `${folder}?a=/b`, status: 200, tookMs: 4 });
    measureRequest({ method: "GET", url: `${folder}/3dc3d5b3`, status: 404, tookMs: 4 });
    expect([folder, await counted(folder)]).toEqual([folder, before + 3]);
  }
  const others = ["/", "*", "/authorised", "//permissions", "/constructor", "/open-banking/v3.1"];
  const before = await counted("other");
  for (const url of others) measureRequest({ method: "GET", url, status: 404, tookMs: 4 });
  expect(await counted("other")).toBe(before + others.length);
  await finish();
});

it("the end of a trusted list in TRUST_ANCHORS is told, and that of the certificates that sign it", async () => {
  const { authority, qwac } = await startIssuing();
  const [anchors, signers] = ["list.xml", "signers.pem"].map((name) => path.join(folder, name));
  if (anchors === undefined || signers === undefined) throw new Error("two files");
  await writeFile(signers, pem(await qwac()));
  const { ask, finish } = await opened({ TRUST_ANCHORS: anchors, TRUSTED_LIST_SIGNERS: signers });
  const next = async () => {
    const { text } = await ask();
    return text.match(/(?<=^drawbridge_trusted_list_next_update_timestamp_seconds).*/gm);
  };
  expect(await next()).toBeNull();
  const services = [{ certificate: new X509Certificate(authority.certificatePem).raw }];
  const pointer = { territory: "BG", url: "http://lists.example/bg.xml", signers: [] };
  const listed = { services, pointers: [pointer], nextUpdate: "2027-06-01T00:00:00Z" };
  await writeFile(anchors, listXml(listed));
  const seconds = (time: string) => Date.parse(time) / 1_000;
  expect(await next()).toEqual([`{territory="RO"} ${seconds("2027-06-01T00:00:00Z")}`]);
  const later = listXml({ services, territory: "DE", nextUpdate: "2027-12-01T00:00:00Z" });
  await writeFile(
    anchors,
    later.replace(/<(\/?)(?=[A-Z])/g, "<$1tsl:").replace("xmlns=", "xmlns:tsl="),
  );
  expect(await next()).toEqual([`{territory="DE"} ${seconds("2027-12-01T00:00:00Z")}`]);
  const { text } = await ask();
  await writeFile(anchors, authority.certificatePem);
  expect(await next()).toBeNull();
  expect(text).toMatch(/end_timestamp_seconds\{setting="TRUSTED_LIST_SIGNERS"\} \d{10}\n/);
  expect(text).not.toContain('setting="TRUST_ANCHORS"');
  await finish();
});

it("metrics are answered while a file of certificates has a mistake", async () => {
  const file = path.join(folder, "mistake.pem");
  await writeFile(file, "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
  const { ask, finish } = await opened({ TRUST_ANCHORS: file });
  expect((await ask()).status).toBe(200);
  await finish();
});

it("calls of the provider and of issuers are counted by whether they were answered", async () => {
  const { ask, finish } = await opened();
  // Other tests of this process may have made such calls before.
  const counted = async () => {
    const { text } = await ask();
    return [
      'called="identity-provider",outcome="answer"',
      'called="certificate-issuer",outcome="no-answer"',
    ].map((labels) =>
      Number(
        text
          .split(`drawbridge_outbound_call_duration_seconds_count{${labels}} `)[1]
          ?.split("\n")[0] ?? 0,
      ),
    );
  };
  const [answered = 0, unanswered = 0] = await counted();
  await timed("identity-provider", async (given: string) => given)("asked");
  const fails = timed("certificate-issuer", () => Promise.reject(new Error("away")));
  await expect(fails()).rejects.toThrow("away");
  expect(await counted()).toEqual([answered + 1, unanswered + 1]);
  await finish();
});

it("metrics are answered without the database, and nothing else is", async () => {
  const { ask, finish } = await opened({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  const { status, text } = await ask();
  expect([status, (await ask("/")).status]).toEqual([200, 404]);
  expect(text).toContain("drawbridge_database_reachable 0");
  await finish();
});

it("with WORKERS the process that runs the jobs is among them", async () => {
  new Counter({ name: "drawbridge_of_the_first_process_total", help: "Of a job." }).inc();
  const { ask, finish } = await opened({ WORKERS: 2 });
  expect((await ask()).text).toContain("drawbridge_of_the_first_process_total 1");
  await finish();
});
