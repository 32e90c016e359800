import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { psuByForms } from "@/e2e/harness/psu-by-forms";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";
import { type Counts, runSuite, type Suite } from "./check";
import { fapi } from "./fapi";
import { oauth4webapi, openidClient } from "./oauth-clients";
import { payloads } from "./payloads";
import { schemathesis } from "./schemathesis";

/**
 * `npm run conformance`: what others have written to try an interface like this one, against a bank of its own over
 * mutual TLS. With names it runs the suites whose name has one of them. docs/conformance.md says what each is.
 */
const suites: readonly Suite[] = [oauth4webapi, openidClient, fapi, payloads, schemathesis];
const wanted = process.argv.slice(2);
const reports = join(import.meta.dirname, "../../test-results");

const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-conformance-"));
const bank = await freshSettings(dataDir);
console.log("Starting a bank with data of its own; a build comes first when there is none.");
const server = await startServer(bank);
const tpps: TestTpp[] = [];
const end = async () => {
  await Promise.all(tpps.splice(0).map((tpp) => tpp.close()));
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
const setting = {
  bank,
  newPsu: () => psuByForms(bank.webUrl),
  newTpp: async (options = {}) => {
    const tpp = await testTpp({ bank, ...options });
    tpps.push(tpp);
    return tpp;
  },
};
try {
  const chosen = suites.filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  for (const suite of chosen) await runSuite(suite, setting, counts);
} finally {
  await end();
}
await mkdir(reports, { recursive: true });
await writeFile(join(reports, "conformance.json"), JSON.stringify(counts));
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
