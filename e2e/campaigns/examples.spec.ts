import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeCertificates } from "@/cli/tpp/certificates";
import { authoriseAsPsu, fetchAlone } from "@/tools/psu-by-forms";
import { steadyPort } from "../harness/steady-port";
import { expect, test } from "../harness/test";
import { TPP } from "../harness/tpp-command";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

/** The commands below the heading of a language, as a reader enters them, with another folder of certificates. */
async function commandsOf(guide: string, language: string, folder: string): Promise<string> {
  const text = await readFile(join(ROOT, `docs/guides/${guide}.md`), "utf8");
  const [, commands] =
    new RegExp(`### ${language}\n[^#]*?\`\`\`sh\n([^]*?)\`\`\``).exec(text) ?? [];
  if (commands === undefined) throw new Error(`${guide}.md has no commands for ${language}`);
  return commands.replaceAll("/tmp/my-tpp", folder);
}

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-example-"));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

for (const language of ["TypeScript", "Python", "Java"]) {
  test(`the portal's commands for ${language} read a PSU's accounts and pay`, async ({
    bank,
    newTpp,
  }) => {
    await writeCertificates(folder, (await newTpp()).certificates);
    const port = await steadyPort();

    /** What it prints until its end; the PSU agrees at the address that it prints. */
    async function said(guide: string): Promise<string> {
      const child = spawn("bash", ["-e", "-c", await commandsOf(guide, language, folder)], {
        cwd: ROOT,
        env: { ...process.env, XS2A_URL: bank.xs2aUrl, PORT: String(port) },
        detached: true,
      });
      try {
        let [out, visited] = ["", false];
        child.stderr.on("data", (chunk: Buffer) => {
          out += chunk.toString();
        });
        child.stdout.on("data", (chunk: Buffer) => {
          out += chunk.toString();
        });
        const ended = once(child, "close");
        const address = /http\S+\/auth\?\S+(?=\n)/;
        await expect
          .poll(() => address.test(out) || child.exitCode !== null, { timeout: 120_000 })
          .toBe(true);
        const [authorisation] = address.exec(out) ?? [];
        expect(authorisation, out).toBeDefined();
        const redirectUri = `http://localhost:${port}/callback`;
        const back = await authoriseAsPsu(new URL(`${authorisation}`), redirectUri, bank.webUrl);
        visited = (await fetchAlone(back)).ok;
        const [code] = await ended;
        expect({ code, visited }, out).toEqual({ code: 0, visited: true });
        return out;
      } finally {
        // With what it has started.
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
      }
    }

    const read = await said("first-call");
    expect(read).toMatch(/consents\/\S+\/status: 200\nreceived\n/);
    expect(read).toMatch(/RO06DRWB0001000000000101 RON\n {2}closingBooked: -?\d+\.\d{2}\n/);
    expect(read).toMatch(/ {2}\d{4}-\d{2}-\d{2}: -?\d+\.\d{2}\n/);
    expect(await said("payments")).toMatch(/\nACSC\n$/);
  });
}

test("the Bruno collection signs each call", async ({ bank, newTpp, authorise }) => {
  const tpp = await newTpp();
  const { consentId, accessToken } = await authorise(tpp);
  await writeCertificates(folder, tpp.certificates);
  const out = join(folder, "collection");
  const env = { ...process.env, XS2A_URL: bank.xs2aUrl };
  const collection = [...TPP, "collection", "--certificates", folder, "--out", out];
  await run(process.execPath, collection, { cwd: ROOT, env });
  const calls = [
    ...["listAccounts", "readBalances", "readTransactions"],
    ...["createAccountConsent", "readAccountConsent", "listAccountConsentAuthorisations"],
    ...["readAccountConsentAuthorisation", "deleteAccountConsent"],
    ...["initiatePayment", "readPaymentStatus"],
  ];
  const files = await readdir(out, { recursive: true });
  const paths = calls.map((call) => files.find((file) => file.endsWith(`/${call}.bru`)) ?? call);
  const known = Object.entries({ consentId, accessToken });
  const options = [
    ...["--env", "sandbox", "--sandbox", "developer", "--cacert", join(folder, "ca.pem")],
    ...known.flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
    ...["--reporter-json", join(folder, "ran.json")],
  ];
  await run("npx", ["--yes", "@usebruno/cli@4.1.0", "run", ...paths, ...options], { cwd: out });
  const [{ results }] = JSON.parse(await readFile(join(folder, "ran.json"), "utf8"));
  const sent = results as readonly { readonly response: { readonly status: number } }[];
  const statuses = [200, 200, 200, 201, 200, 200, 200, 204, 201, 200];
  expect(sent.map(({ response }) => response.status)).toEqual(statuses);
});
