import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "./harness/test";
import { TPP } from "./harness/tpp-command";

const ROOT = join(import.meta.dirname, "..");

type Bank = { readonly dataDir: string; readonly xs2aUrl: string; readonly webUrl: string };

/** The command as a person types it, with something on its standard input or nothing. */
async function tpp(bank: Bank, args: readonly string[], input = "") {
  const { dataDir, xs2aUrl, webUrl } = bank;
  const child = spawn(process.execPath, [...TPP, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, XS2A_URL: xs2aUrl, WEB_URL: webUrl },
  });
  const closed = new Promise<number | null>((done) => child.once("close", done));
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, out, err };
}

let dir: string;
test.beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "drawbridge-issue-"));
});
test.afterEach(() => rm(dir, { recursive: true }));

const issue = (bank: Bank, ...more: readonly string[]) => {
  const organisation = ["--id", "PSDRO-NBR-7654321", "--name", "A & B", "--roles", "PSP_AI"];
  return tpp(bank, ["certificate", ...organisation, "--out", join(dir, "out"), ...more]);
};

test("npm run tpp -- certificate: authority, domain and days as they are told", async ({
  bank,
}) => {
  const more = [
    "--authority-name",
    "BaFin",
    "--authority-id",
    "DE-BAFIN",
    "--domain",
    "tpp.example",
  ];
  expect((await issue(bank, ...more, "--days", "90")).code).toBe(0);
  const request = `GET /open-banking/v3.1/aisp/v1/accounts HTTP/1.1\r\n\r\n`;
  const qwac = ["--certificate", join(dir, "out", "qwac.pem")];
  const { code, out } = await tpp(bank, ["explain", "-", ...qwac], request);
  expect(code).toBe(1);
  expect(out).toContain("BaFin (DE-BAFIN)");
  expect(out).toContain("CN=tpp.example");
  expect(out).toContain("401 SIGNATURE_MISSING");

  await test.step("npm run tpp -- explain: a private key is not read any further", async () => {
    const key = await readFile(join(dir, "out", "qseal.key"), "utf8");
    const refused = await tpp(bank, ["explain", "-"], `GET / HTTP/1.1\r\n\r\n${key}`);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("private key");
    expect(refused.err).not.toContain(key.slice(40, 80));
  });
});

test("npm run tpp -- certificate --defect list: every defect and what the bank answers", async ({
  bank,
}) => {
  const { code, out } = await tpp(bank, ["certificate", "--defect", "list"]);
  expect(code).toBe(0);
  for (const word of ["expired", "CERTIFICATE_EXPIRED", "wrong-role", "ROLE_INVALID", "sha1"]) {
    expect(out).toContain(word);
  }
});

test("npm run tpp -- certificate: what it cannot make it says by its option, exit code 2", async ({
  bank,
}) => {
  const { code, err } = await issue(bank, "--defect", "nonsense", "--days", "0");
  expect(code).toBe(2);
  expect(err).toContain("--days must be a number of days from 1 to 3650");
  expect(err).toContain("--defect nonsense is not in the list of defects");
});

test("npm run tpp -- accounts --save and explain: a refusal is explained in the bank's own words", async ({
  bank,
}) => {
  await issue(bank, "--defect", "expired", "--in", "qseal");
  const file = join(dir, "refused.http");
  const saved = await tpp(bank, ["accounts", "--certificates", join(dir, "out"), "--save", file]);
  expect(saved.code).toBe(1);
  expect(saved.err).toContain(`npm run tpp -- explain ${file}`);
  const reason = /CERTIFICATE_EXPIRED.*?- (certificate was valid until [^,]+)/.exec(saved.err)?.[1];
  expect(await readFile(file, "utf8")).toMatch(/^POST \S+\/consents HTTP\/1\.1\r\n/);
  const { code, out } = await tpp(bank, ["explain", file]);
  expect(code).toBe(1);
  expect(out).toContain(`401 CERTIFICATE_EXPIRED (TPP-Signature-Certificate): ${reason}`);
  // All the rest was right.
  expect(out.match(/FAILED/g)).toHaveLength(1);
  expect(out).toContain("Signature over the signing string: passed");
});
