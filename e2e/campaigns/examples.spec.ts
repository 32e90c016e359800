import { execFile, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeCertificates } from "@/cli/tpp/certificates";
import { granted, type Permission } from "@/clients/typescript/src";
import { authoriseAsPsu, fetchAlone } from "@/tools/psu-by-forms";
import { authoriseFunds } from "../harness/funds";
import { steadyPort } from "../harness/steady-port";
import { expect, test } from "../harness/test";
import type { TestTpp } from "../harness/test-tpp";
import { TPP } from "../harness/tpp-command";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

// Packages are fetched from npm, PyPI and Maven Central, which takes as long as the network does.
test.setTimeout(600_000);

/** The commands below a heading, as a reader enters them, with a folder, a bank and a TPP of the test's own. */
async function commandsOf(guide: string, heading: string, webUrl: string): Promise<string> {
  const text = await readFile(join(ROOT, `docs/guides/${guide}.md`), "utf8");
  const [, commands] = new RegExp(`##+ ${heading}\n[^#]*?\`\`\`sh\n([^]*?)\`\`\``).exec(text) ?? [];
  if (commands === undefined) throw new Error(`${guide}.md has no commands for ${heading}`);
  return commands
    .replaceAll("/tmp/my-tpp", folder)
    .replaceAll("http://localhost:3000", webUrl)
    .replace("PSDRO-NBR-2718281", `PSDRO-NBR-${randomInt(1e9)}`);
}

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-example-"));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

for (const language of ["TypeScript", "Python", "Java"]) {
  test(`the portal's commands for ${language} read a PSU's accounts and pay`, async ({ bank }) => {
    const certificates = await commandsOf("first-call", "Certificates", bank.webUrl);
    await run("bash", ["-e", "-c", certificates]);
    const port = await steadyPort();

    /** What it prints until its end; the PSU agrees at the address that it prints. */
    async function said(guide: string): Promise<string> {
      const child = spawn("bash", ["-e", "-c", await commandsOf(guide, language, bank.webUrl)], {
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

/** What stands in capital letters in a sample, as the bank has answered it to this TPP before. */
type Known = Readonly<Record<string, string>>;

/** A TPP whose PSU has agreed to account information and to the confirmation of funds, and a payment that waits. */
async function knownTo(tpp: TestTpp, consent: Permission, funds: Permission) {
  const { accounts } = granted(await tpp.bank.accounts(consent));
  const accountId = String(accounts[0]?.resourceId);
  const dateFrom = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const query = { bookingStatus: "booked", dateFrom } as const;
  const report = granted(await tpp.bank.transactions(consent, accountId, query));
  const paying = await tpp.askToPay();
  const requestId = randomUUID();
  await tpp.bank.call("GET", "/open-banking/v3.1/aisp/v1/accounts", {
    headers: { "x-request-id": requestId },
  });
  const authorisation = async (path: string) => {
    const { authorisationIds } = granted(
      await tpp.bank.call<{ readonly authorisationIds: readonly string[] }>(
        "GET",
        `${path}/authorisations`,
        {},
      ),
    );
    return String(authorisationIds[0]);
  };
  const v3 = "/open-banking/v3.1";
  const known: Readonly<Record<string, Known>> = {
    "Account information": {
      CONSENT_ID: consent.consentId,
      ACCESS_TOKEN: consent.accessToken,
      ACCOUNT_ID: accountId,
      TRANSACTION_ID: String(report.transactions.booked?.[0]?.transactionId),
      AUTHORISATION_ID: await authorisation(`${v3}/aisp/v1/consents/${consent.consentId}`),
      DATE_FROM: dateFrom,
    },
    "Payment initiation": {
      PAYMENT_ID: paying.paymentId,
      AUTHORISATION_ID: await authorisation(
        `${v3}/pisp/v1/payments/sepa-credit-transfers/${paying.paymentId}`,
      ),
    },
    "Confirmation of funds": {
      CONSENT_ID: funds.consentId,
      ACCESS_TOKEN: funds.accessToken,
      AUTHORISATION_ID: await authorisation(
        `${v3}/cbpii/v2/consents/confirmation-of-funds/${funds.consentId}`,
      ),
    },
    Support: { REQUEST_ID: requestId },
  };
  return known;
}

/** How the samples of a language become one program that prints the name of each that was granted. */
const programs: Readonly<
  Record<string, (setup: string, samples: readonly (readonly [string, string])[]) => Program>
> = {
  curl: (_setup, samples) => ({
    file: "samples.sh",
    code: samples
      .map(([name, code]) => `${code.replace("curl ", "curl --fail ")} > /dev/null\necho ${name}`)
      .join("\n"),
    command: (dir) => `cd ${dir}; set -e; . ./shared.sh; . ./samples.sh`,
  }),
  TypeScript: (setup, samples) => ({
    file: "samples.ts",
    code: `${setup}\n${samples
      .map(
        ([name, code]) =>
          `{\n${code}\nif (!answer.ok) throw new Error(JSON.stringify(answer));\nconsole.log("${name}");\n}`,
      )
      .join("\n")}\nawait connection.close();\n`,
    command: (dir) => `npx tsx ${dir}/samples.ts`,
  }),
  Python: (setup, samples) => ({
    file: "samples.py",
    code: `${setup}\n${samples.map(([name, code]) => `${code}\nprint("${name}")`).join("\n")}\n`,
    command: (dir) =>
      `python3 -m venv ${dir}/venv
      ${dir}/venv/bin/pip install --quiet -r examples/tpp/python/requirements.txt
      PYTHONPATH=examples/tpp/python ${dir}/venv/bin/python ${dir}/samples.py`,
  }),
  Java: (setup, samples) => ({
    file: "Samples.java",
    code: `import java.nio.file.Path; import java.util.Map;
      interface Samples { static void main(String[] args) throws Exception {
      ${setup}
      ${samples.map(([name, code]) => `{ ${code} System.out.println("${name}"); }`).join("\n")}
      } }`,
    command: (dir) =>
      `javac -d ${dir} examples/tpp/java/Tpp.java ${dir}/Samples.java && java -cp ${dir} Samples`,
  }),
};

type Program = {
  readonly file: string;
  readonly code: string;
  readonly command: (dir: string) => string;
};

for (const language of ["curl", "TypeScript", "Python", "Java"]) {
  test(`the reference's examples in ${language} are granted, call by call`, async ({
    bank,
    page,
    newTpp,
    authorise,
    psuByForms: psu,
  }) => {
    const tpp = await newTpp();
    await writeCertificates(folder, tpp.certificates);
    const known = await knownTo(tpp, await authorise(tpp), await authoriseFunds({ tpp, psu }));
    await page.goto(`${bank.webUrl}/docs/reference`);
    const calls = await page.locator("section.call:has(pre)").evaluateAll(
      (sections, of) =>
        sections.map((section) => ({
          name: String(section.getAttribute("aria-labelledby")),
          area: String(section.parentElement?.querySelector("h2")?.textContent),
          method: String(section.querySelector("strong")?.textContent),
          code: String(section.querySelector(`pre[id$="-${of}"]`)?.textContent),
        })),
      language,
    );
    expect(calls.length).toBeGreaterThan(20);
    // What is ended is not asked for after that.
    const inOrder = calls.toSorted(
      (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
    );
    const samples = inOrder.map(({ name, area, code }) => {
      const words = Object.entries(known[area] ?? {});
      return [
        name,
        words.reduce((text, [word, value]) => text.replaceAll(word, value), code),
      ] as const;
    });
    const setup = language === "curl" ? "" : await page.locator(`#setup-${language}`).textContent();
    const program = programs[language]?.(String(setup).replaceAll("/tmp/my-tpp", folder), samples);
    if (program === undefined) throw new Error(`no program in ${language}`);
    // Below the project, where the package is found.
    const dir = await mkdtemp(join(ROOT, "test-results/samples-"));
    try {
      await writeFile(join(dir, program.file), program.code);
      const guide = await readFile(join(ROOT, "docs/tpp.md"), "utf8");
      const [sign] = /^serial=\$[\s\S]*?^\}$/m.exec(guide) ?? [];
      const [qwac] = /^qwac=.*$/m.exec(guide) ?? [];
      await writeFile(join(dir, "shared.sh"), `${qwac}\n${sign}\n`);
      if (language === "curl") await cp(folder, dir, { recursive: true });
      const env = { ...process.env, XS2A_URL: bank.xs2aUrl };
      const { stdout } = await run("bash", ["-c", program.command(dir)], { cwd: ROOT, env });
      const names = stdout.split("\n").filter((line) => calls.some(({ name }) => name === line));
      expect(names).toEqual(samples.map(([name]) => name));
    } finally {
      await rm(dir, { recursive: true });
    }
  });
}

test("the Bruno collection signs each call, and runs folder by folder", async ({
  bank,
  newTpp,
  authorise,
  psuByForms: psu,
}) => {
  const tpp = await newTpp();
  const { consentId, accessToken } = await authorise(tpp);
  const funds = await authoriseFunds({ tpp, psu });
  await writeCertificates(folder, tpp.certificates);
  const out = join(folder, "collection");
  const env = { ...process.env, XS2A_URL: bank.xs2aUrl };
  const collection = [...TPP, "collection", "--certificates", folder, "--out", out];
  await run(process.execPath, collection, { cwd: ROOT, env });
  const known = Object.entries({
    ...{ consentId, accessToken },
    ...{ fundsConsentId: funds.consentId, fundsAccessToken: funds.accessToken },
  });
  const statuses = {
    "account-information": [...Array(9).fill(200), 201, 204],
    // Payments cannot be cancelled.
    "payment-initiation": [201, ...Array(4).fill(200), 405],
    "confirmation-of-funds": [...Array(5).fill(200), 201, 204],
    support: [200],
  };
  const options = [
    ...["--env", "sandbox", "--sandbox", "developer", "--cacert", join(folder, "ca.pem")],
    ...known.flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
    ...["--reporter-json", join(folder, "ran.json")],
  ];
  await run("npx", ["--yes", "@usebruno/cli@4.1.0", "run", ...Object.keys(statuses), ...options], {
    cwd: out,
  });
  const [{ results }] = JSON.parse(await readFile(join(folder, "ran.json"), "utf8"));
  const sent = results as readonly { readonly response: { readonly status: number } }[];
  expect(sent.map(({ response }) => response.status)).toEqual(Object.values(statuses).flat());
  granted(await tpp.bank.accounts({ consentId, accessToken }));
});
