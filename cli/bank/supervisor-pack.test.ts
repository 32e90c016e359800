import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import {
  addProbe,
  dailyFigures,
  type ProbedInterface,
  type ProbeRun,
  publishedQuarters,
} from "@/lib/domain/interface-figures";
import { addTime, endOfDayIn, startOfDayIn } from "@/lib/domain/values";
import { eventLog } from "@/lib/postgres/events";
import { interfaceFigures } from "@/lib/postgres/interface-figures";
import {
  challengedPayment,
  exampleTpp,
  fileDatabase,
  payer,
  storesOf,
} from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { figuresOf } from "./supervisor-pack/figures";
import { runBank } from "./testing";

const { db, sql, url } = await fileDatabase();
const { timeZone } = aspspProfile;
// Events are recorded at the database's time, so it is the quarter that runs, and the bank's clock is set to its end.
const [quarter] = publishedQuarters(new Date(), timeZone);
if (quarter === undefined) throw new Error("there is no quarter");
const { name, from, to } = quarter;
const begin = startOfDayIn(timeZone, from);
const end = endOfDayIn(timeZone, to);
const folder = await mkdtemp(path.join(tmpdir(), "supervisor-pack-"));
afterAll(() => rm(folder, { recursive: true }));

const DATA_DIR = path.join(folder, "nowhere");
const pack = (...args: readonly string[]) =>
  runBank(["supervisor-pack", ...args], { DATABASE_URL: url, DATA_DIR });
const atInstant = (instant: Date) => vi.useFakeTimers({ now: instant, toFake: ["Date"] });
afterEach(() => {
  vi.useRealTimers();
});

const minutesIn = (minutes: number) => addTime(begin, minutes, "minute");

async function fill(): Promise<void> {
  const counts = [
    ["aisp", "granted", 40, 810_000],
    ["aisp", "failed", 10, 0],
    ["pisp", "granted", 3, 90_000],
    ["pages", "granted", 2, 50_000],
    ["oauth", "unanswered", 1, 6_000_000],
  ] as const;
  for (const [area, outcome, requests, took] of counts) {
    await sql`insert into request_day values (${from}, ${area}, ${outcome}, ${requests}, ${took})`;
    await sql`insert into request_minute values (${minutesIn(1)}, ${area}, ${outcome}, ${requests}, ${took})`;
  }
  await sql`insert into refusal_day values (${from}, 'pisp', 'FORMAT_ERROR', 2), (${to}, 'pisp', 'FORMAT_ERROR', 3),
    (${to}, 'aisp', 'CONSENT_EXPIRED', 4), (${to}, 'aisp', 'ACCESS_EXCEEDED', 9)`;
  await sql`insert into probe_run (interface, began_at, last_at, answered, probes) values
    ('xs2a', ${begin}, ${minutesIn(1)}, true, 11),
    ('xs2a', ${addTime(minutesIn(1), 6, "second")}, ${minutesIn(200)}, false, 1990),
    ('pages', ${minutesIn(5)}, ${minutesIn(6)}, false, 11)`;
  await sql`insert into planned_downtime values
    (gen_random_uuid(), 'pages', ${minutesIn(4)}, ${minutesIn(10)}, 'upgrade', ${minutesIn(-60)}, 'maria')`;
  await sql`insert into channel_day values ('app', ${from}, 0, 0.01, 91.25, null, 0.002)`;
  const day = [
    [exampleTpp.id, "read", "accounts", "attended", 40],
    [exampleTpp.id, "payment-requested", null, "sepa-credit-transfers", 3],
    ["*", "payment-requested", null, "sepa-credit-transfers", 3],
    ["*", "consent-status", "valid", "AIS", 5],
    ["*", "request-refused", "CERTIFICATE_EXPIRED", null, 7],
  ] as const;
  for (const [tpp, what, value, part, count] of day) {
    await sql`insert into day_count (day, what, tpp_id, value, part, count)
      values (${from}, ${what}, ${tpp}, ${value}, ${part}, ${count})`;
  }
  await eventLog(db).record({ kind: "psu-blocked", detail: { user: "fingerprint" } });
  const stores = storesOf(db);
  await stores.tpps.remember(exampleTpp, begin);
  const executed = await challengedPayment(stores, await payer(db));
  const rejected = await challengedPayment(stores, await payer(db));
  await stores.authorisations.finalisePayment(executed);
  await sql.begin(async (tx) => {
    // What the triggers write at the bank's time is moved into the quarter.
    await tx`set local session_replication_role to replica`;
    await tx`update payment_state set authorised_at = ${minutesIn(30)} where payment_id = ${executed.paymentId}`;
    await tx`insert into payment_status_change values
      (${executed.paymentId}, 'ACSC', ${minutesIn(40)}, null), (${rejected.paymentId}, 'RJCT', ${minutesIn(50)}, 'cancelled')`;
    await tx`update authorisation set sca_status = 'failed', failed_because = 'cancelled', decided_at = ${minutesIn(50)}
      where id = ${rejected.authorisationId}`;
  });
}

/** The cells of a CSV file, whose texts have no quotes in them. */
function cellsIn(text: string): readonly (readonly string[])[] {
  const lines = text.replace("\ufeff", "").split("\r\n").slice(0, -1);
  return lines.map((line) => line.slice(1, -1).split('","'));
}

it("a quarter that is not over, too old or without data has no pack, and the reason is said in words", async () => {
  const out = path.join(folder, "none");
  expect(await pack(name, "--out", out)).toMatchObject({ code: 1, stderr: /is not over/ });
  atInstant(addTime(end, 5, "hour"));
  expect(await pack(name, "--out", out)).toMatchObject({ code: 1, stderr: /is not over/ });
  atInstant(addTime(end, 7, "hour"));
  expect(await pack(name, "--out", out)).toMatchObject({ code: 1, stderr: /there is no data/ });
  expect(await pack("2024Q1", "--out", out)).toMatchObject({ code: 1, stderr: /is too old/ });
  expect(await pack("2026Q5", "--out", out)).toMatchObject({ code: 2 });
  expect(await readdir(folder)).toEqual([]);
});

it("each figure of a pack is what its query gives by hand, and what is not known is said", async () => {
  await fill();
  atInstant(addTime(end, 7, "hour"));
  const out = path.join(folder, "pack");
  await sql`update day_count_position set counted_to = ${minutesIn(60)}`;
  expect(await pack(name, "--out", out)).toMatchObject({ stderr: /not all counted yet/ });
  await sql`update day_count_position set counted_to = ${end}`;
  expect(await pack(name, "--out", out)).toMatchObject({ code: 0 });
  expect(await pack(name, "--out", out)).toMatchObject({ code: 1, stderr: /a new folder/ });

  const byHand = postgres(url, { max: 1, connection: { TimeZone: "America/New_York" } });
  const files = await readdir(out);
  const names = files.flatMap((file) => (file.endsWith(".sql") ? [file.slice(0, -4)] : []));
  const figures = new Map<string, readonly (readonly string[])[]>();
  for (const figure of names) {
    const written = cellsIn(await readFile(path.join(out, `${figure}.csv`), "utf8"));
    const rows = await byHand.unsafe(await readFile(path.join(out, `${figure}.sql`), "utf8"));
    const texts = rows.map((row) =>
      Object.values(row).map((cell) => (cell === null ? "" : `${cell}`)),
    );
    expect([figure, written.slice(1)]).toEqual([figure, texts]);
    figures.set(figure, texts);
  }
  await byHand.end();
  expect([...figures].filter(([, rows]) => rows.length === 0)).toEqual([]);
  expect(figures.get("credit-transfers")).toEqual([
    ["sepa-credit-transfers", "EEA", "code", "EUR", "1", "1250"],
  ]);
  expect(figures.get("tpps")).toEqual([
    ["AIS", "1", "0", "40"],
    ["PIS", "1", "3", "0"],
  ]);
  expect(figures.get("refusals-by-code")).toEqual([
    ["aisp", "ACCESS_EXCEEDED", "9"],
    ["aisp", "CONSENT_EXPIRED", "4"],
    ["pisp", "FORMAT_ERROR", "5"],
  ]);
  const began = addTime(minutesIn(1), 6, "second").toISOString().replace(".000", "");
  const ended = minutesIn(200).toISOString().replace(".000", "");
  // The announced outage of the pages is none, and the payment was under way.
  expect(figures.get("incidents")).toEqual([
    ["xs2a", began, ended, "11934", "true", "11", "0", "1"],
  ]);
  const page = await readFile(path.join(out, "index.html"), "utf8");
  expect(page).toContain("No stress test was given");
  expect(page).toContain("fraud department alone");
  expect(page).toContain("Draft 1");
  for (const figure of names) expect(page).toContain(`id="query-${figure}"`);
});

it("the stress test of a pack is the bench's, and a file of another form is refused", async () => {
  atInstant(addTime(end, 7, "hour"));
  const [bench, out] = [path.join(folder, "bench.json"), path.join(folder, "with-bench")];
  const figure = { request: "GET /v1/accounts", server: "Drawbridge", requestsPerSecond: 992.4 };
  const report = {
    ...{ at: "2026-11-24T10:00:00.000Z", command: "npm run bench -- --json bench.json" },
    ...{ machine: "2 cores", connections: 16, perSecond: 200 },
    figures: [{ ...figure, p50Milliseconds: 2.6, p99Milliseconds: 10.9, memoryMegabytes: 300 }],
  };
  await writeFile(bench, JSON.stringify({ ...report, figures: [figure] }));
  expect(await pack(name, "--out", out, "--bench", bench)).toMatchObject({ code: 1 });
  await writeFile(bench, JSON.stringify(report));
  expect(await pack(name, "--out", out, "--bench", bench)).toMatchObject({ code: 0 });
  expect(cellsIn(await readFile(path.join(out, "stress-test.csv"), "utf8"))[1]).toEqual([
    "GET /v1/accounts",
    "Drawbridge",
    "992.4",
    "",
    "2.6",
    "10.9",
    "300",
  ]);
  expect(await readFile(path.join(out, "index.html"), "utf8")).toContain("<td>10.9</td>");
});

/** Seconds of pause before a probe, and whether it was answered. */
const probes = fc.array(
  fc.tuple(fc.constantFrom(6, 6, 6, 7.5, 8, 4_000), fc.constantFrom(true, false, false)),
  { minLength: 1, maxLength: 60 },
);
const windows = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 200 })), { maxLength: 3 });

it("the query of the availability gives what the public page shows, whatever the prober has seen", async () => {
  const query = figuresOf(quarter, { timeZone }).find((one) => one.name === "availability-by-day");
  const figures = interfaceFigures(db);
  const check = async (
    seen: readonly (readonly [number, boolean])[],
    planned: readonly (readonly [number, number])[],
    of: ProbedInterface,
  ) => {
    await sql`truncate probe_run, planned_downtime`;
    let at = minutesIn(1_380);
    let run: ProbeRun | undefined;
    for (const [pause, answered] of seen) {
      at = addTime(at, pause, "second");
      run = addProbe(run, { interface: of, at, answered });
      await figures.keepRuns([run]);
    }
    for (const [start, minutes] of planned) {
      await sql`insert into planned_downtime values (gen_random_uuid(), ${of},
        ${minutesIn(1_380 + start)}, ${minutesIn(1_380 + start + minutes)}, 'upgrade', ${begin}, 'maria')`;
    }
    const asked = { from, to, timeZone };
    const shown = dailyFigures(of, await figures.read(asked), asked);
    const rows = (await sql.unsafe(query?.query ?? "none")).filter(
      (row) => row["interface"] === of,
    );
    expect(rows.map((row) => row["day"])).toEqual(shown.map(({ day }) => day));
    for (const [nth, { probed, plannedDowntime, unplannedDowntime }] of shown.entries()) {
      const { observed_percent, uptime_percent, planned_downtime_percent } = (rows[nth] ??
        {}) as Record<string, string | null>;
      expect(Number(observed_percent)).toBeCloseTo(100 * probed, 2);
      if (probed === 0) {
        expect(uptime_percent).toBe(null);
        continue;
      }
      expect(Number(uptime_percent)).toBeCloseTo(
        100 * (1 - plannedDowntime - unplannedDowntime),
        2,
      );
      expect(Number(planned_downtime_percent)).toBeCloseTo(100 * plannedDowntime, 2);
    }
  };
  const interfaces = fc.constantFrom("xs2a", "pages") as fc.Arbitrary<ProbedInterface>;
  await fc.assert(fc.asyncProperty(probes, windows, interfaces, check), { numRuns: 30 });
});
