import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificates, writeCertificates } from "@/cli/tpp/certificates";
import { demoDebtor } from "@/cli/tpp/demo-debtor";
import { nextKeys } from "@/lib/sandbox/testing";
import { expect, test } from "./harness/test";
import { endTppCommands, tpp } from "./harness/tpp-command";

test.afterEach(endTppCommands);

const ADDRESS = /http\S+\/auth\?\S+/;
/** What the text message is about: ana pays through the same TPP in another test at the same time. */
const READ = 'let "Example TPP" read';
const ASK = 'let "Example TPP" ask';

test("npm run tpp -- accounts: consent, the PSU's authorisation, token, and the tables", async ({
  bank,
  psu,
}) => {
  const command = tpp(bank, "accounts");
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agree("ana", READ);
  const { code, out, err } = await command.done;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  await expect(psu.page.getByText("You can close this window")).toBeVisible();
  for (const heading of ["IBAN", "Booked", "Expected", "Available", "Amount", "Remittance"]) {
    expect(out).toContain(heading);
  }
  expect(out).toMatch(/Current account +RO\d{2}DRWB\d+ +RON +-?\d+\.\d{2}/);
  expect(out).toMatch(/\d{4}-\d{2}-\d{2} +-?\d+\.\d{2} RON/);
  expect((await readdir(join(bank.dataDir, "tpp"))).toSorted()).toEqual([
    "ca.pem",
    "qseal.key",
    "qseal.pem",
    "qwac.key",
    "qwac.pem",
  ]);
});

test("npm run tpp -- accounts: a PSU who cancels is told of in a sentence, exit code 3", async ({
  bank,
  psuByForms: psu,
}) => {
  const command = tpp(bank, "accounts");
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.cancel();
  const { code, err } = await command.done;
  expect(err).toContain("The PSU did not agree");
  expect(code).toBe(3);
});

test("npm run tpp -- accounts: no server running is one clear sentence, exit code 1", async ({
  bank,
}) => {
  const command = tpp(bank, "accounts", "--xs2a", "https://localhost:9");
  const { code, err } = await command.done;
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(err).toContain("Nothing answers at https://localhost:9");
  expect(code).toBe(1);
});

test("npm run tpp -- accounts: certificates that the bank refuses are told of in the bank's words", async ({
  bank,
}) => {
  const elsewhere = await mkdtemp(join(tmpdir(), "drawbridge-refused-"));
  const organisation = { id: "PSDRO-NBR-1", name: "Refused", roles: ["PSP_AI"] } as const;
  const { ca } = await makeCertificates(bank.dataDir, organisation, { makeKeys: nextKeys });
  const foreign = await makeCertificates(elsewhere, organisation, { makeKeys: nextKeys });
  await writeCertificates(join(elsewhere, "out"), foreign);
  await writeFile(join(elsewhere, "out", "ca.pem"), ca);
  const command = tpp(bank, "accounts", "--certificates", join(elsewhere, "out"));
  const { code, err } = await command.done;
  expect(err).toMatch(/CERTIFICATE_INVALID - \S+/);
  expect(code).toBe(1);
  await rm(elsewhere, { recursive: true });
});

test("npm run tpp -- certificate writes the certificates of a TPP, keys for the owner alone", async ({
  bank,
}) => {
  const dir = await mkdtemp(join(tmpdir(), "drawbridge-certificate-"));
  const out = join(dir, "new");
  const options = ["--id", "PSDRO-NBR-7654321", "--name", "A & B", "--roles", "PSP_AI,PSP_PI"];
  const { code } = await tpp(bank, "certificate", ...options, "--out", out).done;
  expect(code).toBe(0);
  for (const name of ["qwac.key", "qseal.key"]) {
    expect((await stat(join(out, name))).mode & 0o777).toBe(0o600);
  }
  const usable = tpp(bank, "accounts", "--certificates", out);
  expect(await usable.prints(ADDRESS)).toContain("PSDRO-NBR-7654321");
  await rm(dir, { recursive: true });
});

test("npm run tpp -- funds: consent, the PSU's authorisation, token, and the answer", async ({
  bank,
  psuByForms: psu,
}) => {
  const command = tpp(bank, "funds", "--amount", "1", "--currency", "RON");
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agreeAtOnce("ana", ASK);
  const { code, out, err } = await command.done;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(demoDebtor("RON"));
  expect(out).toContain("Funds available: yes");
});

test("npm run tpp -- funds: too much is no, for the card and the account that are named", async ({
  bank,
  psuByForms: psu,
}) => {
  const account = ["--iban", "RO38DRWB0001000000000301", "--card", "5254121234563241"];
  const amount = ["--amount", "99999999999999.99", "--currency", "HUF"];
  const command = tpp(bank, "funds", ...amount, ...account);
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agreeAtOnce("mihai", ASK);
  const { code, out } = await command.done;
  expect(code).toBe(0);
  expect(out).toContain("Funds available: no");
});

test("npm run tpp -- what is not understood has exit code 2, --help has 0", async ({ bank }) => {
  const ended = (...args: readonly string[]) => tpp(bank, ...args).done;
  expect((await ended("nonsense")).code).toBe(2);
  expect((await ended("accounts", "--nonsense")).code).toBe(2);
  const { code, err } = await ended("funds", "--amount", "1,50", "--currency", "RON");
  expect({ code, err: err.trim() }).toEqual({
    code: 2,
    err: "--amount 1,50 is not an amount, such as 100 or 12.50",
  });
  expect(await ended("pay", "--help")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Exit codes"),
  });
});
