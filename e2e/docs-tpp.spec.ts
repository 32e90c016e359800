import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCertificates } from "@/cli/tpp/certificates";
import { isCoreBankApart } from "./harness/core-bank";
import { pageExamples, withoutBlanks } from "./harness/page-examples";
import type { ServerSettings } from "./harness/server";
import { steadyPort } from "./harness/steady-port";
import { expect, test } from "./harness/test";

const ROOT = join(import.meta.dirname, "..");
const MARK = "@@ end of an example";

const missing = ["bash", "curl", "openssl"].filter(
  (program) => spawnSync(program, ["--version"]).error !== undefined,
);

let dir: string;
test.beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "drawbridge-page-"));
});
test.afterEach(() => rm(dir, { recursive: true }));

/** The page as it would stand there for this bank, and for a folder and a port that are free. */
async function page(file: string, { xs2aUrl, webUrl }: ServerSettings): Promise<string> {
  const text = await readFile(join(ROOT, file), "utf8");
  return text
    .replaceAll("https://localhost:8443", xs2aUrl)
    .replaceAll("http://localhost:3000", webUrl)
    .replaceAll("/tmp/my-tpp", join(dir, "my-tpp"))
    .replaceAll("9000", String(await steadyPort()));
}

/** One bash for all commands, as for a person who enters them one after the other. */
function bash(commands: readonly string[], { dataDir, xs2aUrl, webUrl }: ServerSettings) {
  const script = commands.flatMap((command) => [command, `echo "${MARK}"`]).join("\n");
  const child = spawn("bash", ["-e", "-c", script], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, XS2A_URL: xs2aUrl, WEB_URL: webUrl },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return {
    done,
    printed: () => out,
    stop: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
      await done;
    },
  };
}

test("docs/tpp.md: from the first command to the last, each answers as the page says", async ({
  bank,
  psuByForms: psu,
}) => {
  test.skip(missing.length > 0, `the page's commands need ${missing.join(", ")}`);
  const [start, ...examples] = pageExamples(await page("docs/tpp.md", bank));
  // The bank of these tests was started so, or as good as.
  expect(start?.command).toBe("npm ci && npm start\n");

  const shell = bash(
    examples.map(({ command }) => command),
    bank,
  );
  try {
    const address = /^http\S+\/auth\?\S+$/m;
    await expect.poll(shell.printed, { timeout: 60_000 }).toMatch(address);
    await psu.open(new URL(String(address.exec(shell.printed())?.[0])));
    await psu.agree("ana", "My TPP");
    const { code, out, err } = await shell.done;
    expect(code, err).toBe(0);
    const answers = out.split(`${MARK}\n`);
    for (const [index, { command, answer }] of examples.entries()) {
      expect(withoutBlanks(String(answers[index])), command).toMatch(answer);
    }
  } finally {
    await shell.stop();
  }
});

test("docs/sandbox.md: each command answers as the page says", async ({ bank, newTpp }) => {
  test.skip(missing.length > 0, `the page's commands need ${missing.join(", ")}`);
  test.skip(isCoreBankApart(), "namespaces are of the embedded ledger");
  const folder = join(dir, "my-tpp");
  await writeCertificates(folder, (await newTpp()).certificates);
  const examples = pageExamples(await page("docs/sandbox.md", bank));
  const shell = bash([`cd ${folder}`, ...examples.map(({ command }) => command)], bank);
  const { code, out, err } = await shell.done;
  expect(code, err).toBe(0);
  const [, ...answers] = out.split(`${MARK}\n`);
  for (const [index, { command, answer }] of examples.entries()) {
    expect(withoutBlanks(String(answers[index])), command).toMatch(answer);
  }
});
