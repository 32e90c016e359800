import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onlyGiven } from "./harness/only-given";
import { expect, test } from "./harness/test";

const ROOT = join(import.meta.dirname, "..");
const THEIRS = "DATABASE_URL=postgres://theirs/bank\nWORKERS=3\nREVOCATION=off\nXS2A_PORT=1\n";
const FINDING = `import { loadSettings } from ${JSON.stringify(join(ROOT, "lib/server/hosts.ts"))};
  console.log(JSON.stringify(loadSettings()));`;

let folder: string;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-e2e-env-"));
  await writeFile(join(folder, ".env"), THEIRS);
  process.env["DRAIN_SECONDS"] = "7";
});
test.afterEach(async () => {
  delete process.env["DRAIN_SECONDS"];
  await rm(folder, { recursive: true });
});

test("a server of the tests has no setting from the .env or the shell in which they are run", async () => {
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const args = ["--import", tsx, "--input-type=module", "-e", FINDING];
  const env = { ...onlyGiven({ XS2A_PORT: "2" }), TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json") };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ WORKERS: 1, REVOCATION: "hard", XS2A_PORT: 2 });
  expect(found).not.toHaveProperty("DATABASE_URL");
  expect(found).not.toHaveProperty("DRAIN_SECONDS");
});
