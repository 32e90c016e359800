import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCoreBank } from "@/e2e/harness/core-bank";
import { coreBankMistakes, withMistake } from "@/e2e/harness/core-bank-mistakes";
import { type ExampleCoreBank, startExample } from "@/e2e/harness/example-core-bank";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { areAll } from "@/lib/testing-inputs";
import { run } from "./run";

// Side by side: the kit mostly waits for payments to come to their end.
const check = (url: string, ...more: readonly string[]) =>
  run([
    ...["core-bank", "check", url, "--customer", "C-1", "--customer", "C-2"],
    ...["--blocked-customer", "C-3", "--pay", ...more],
  ]);

/** The core bank begins again, with nothing of what it was told. */
const forgets = (url: string) =>
  [
    "--restart",
    `python3 -c "import urllib.request as r; r.urlopen('${url}/restart')" || true`,
  ] as const;

/** What keeps every rule does so on a busy machine, too, if in its own time. */
const PATIENT = ["--patience", "20"] as const;

describe.concurrent("npm run bank -- core-bank check", () => {
  let core: ExampleCoreBank;
  beforeAll(async () => {
    core = await startExample();
  });
  afterAll(() => core.stop());

  it("finds that the example keeps every rule", async () => {
    const { exitCode, output, errors } = await check(core.url, "--entries", "250", ...PATIENT);
    expect(errors).toBe("");
    expect(output).toMatch(/^\d+ kept, 0 broken, 1 not checked$/m);
    expect(exitCode).toBe(0);
  });

  it("takes a whole number of times the deadlines, and nothing else", async () => {
    const { exitCode, errors } = await check(core.url, "--patience", "0");
    expect([exitCode, errors]).toEqual([2, expect.stringContaining("--patience is 1 to 99")]);
  });

  it("demands an account with as many entries as it is told, where it is told a number", async () => {
    const some = await run(["core-bank", "check", core.url, "--customer", "C-1", "--entries", "9"]);
    expect(some.errors).toBe("");
    const { errors } = await check(core.url, "--entries", "100000");
    expect(errors).toMatch(
      /broken .*\n *expected an account with 100000 entries\n *came *2\d\d at/,
    );
    expect((await check(core.url, "--entries", "many")).errors).toContain("--entries is 0 to");
  });

  it("checks the rules with the words it is told, and takes no words that none has", async () => {
    const { output } = await check(core.url, "--only", "unknown account is");
    expect(output).toMatch(/^kept .*unknown-account\n\n1 kept, 0 broken, 0 not checked$/);
    const { exitCode, errors } = await check(core.url, "--only", "none");
    expect([exitCode, errors]).toEqual([2, expect.stringContaining("no rule has the words none")]);
  });

  it("says which rules it cannot check without a payment, a second customer or a blocked one", async () => {
    const { output } = await run(["core-bank", "check", core.url, "--customer", "C-1"]);
    expect(output).toMatch(/not checked a status never goes backwards: needs --pay/);
    expect(output).toMatch(/not checked a customer whom the bank .*needs --blocked-customer ID/);
    expect(output).toMatch(/not checked funds of another customer's account .*needs two customers/);
  });
});

/** In `npm test` what is to find a mistake is asked alone. */
const alone = (rule: string) => (areAll ? [] : ["--only", rule]);

describe.concurrent("a core bank that", () => {
  it.each(Object.entries(coreBankMistakes))("%s is found", async (_what, mistake) => {
    const { rule } = mistake;
    const core = await startExample(withMistake(mistake));
    try {
      const more = rule.startsWith("after a restart") ? forgets(core.url) : [];
      const { exitCode, errors } = await check(core.url, ...alone(rule), ...more);
      expect(errors).toContain(`broken      ${rule}\n`);
      expect(exitCode).toBe(1);
    } finally {
      await core.stop();
    }
  });
});

describe.concurrent("npm run core-bank", () => {
  it("serves the embedded ledger over the contract and mutual TLS, and keeps every rule", async () => {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-ledger-"));
    await chmod(folder, 0o711);
    const core = await startCoreBank(join(folder, "data"));
    try {
      const { CORE_BANK_URL: url = "", CORE_BANK_TLS_CA: ca = "" } = core.settings;
      const { CORE_BANK_TLS_CERT: cert = "", CORE_BANK_TLS_KEY: key = "" } = core.settings;
      const customers = [demoCustomers.ana.id, demoCustomers.mihai.id];
      const asked = customers.flatMap((id) => ["--customer", id]);
      const tls = ["--cert", cert, "--key", key, "--ca", ca];
      const asking = ["core-bank", "check", url, ...asked, "--pay", ...tls, ...PATIENT];
      const { output, errors } = await run(asking);
      expect(errors).toBe("");
      expect(output).toMatch(/^\d+ kept, 0 broken, 2 not checked$/m);
      const stranger = new Agent({ connect: { ca: await readFile(ca, "utf8") } });
      await expect(request(url, { dispatcher: stranger })).rejects.toThrow();
      await stranger.close();
    } finally {
      await core.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
