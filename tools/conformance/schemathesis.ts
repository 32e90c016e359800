import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { granted, keyId } from "@/clients/typescript/src";
import { bankDay } from "@/e2e/harness/consent-request";
import { authoriseFunds } from "@/e2e/harness/funds";
import { ANA_CURRENT, ANA_TRAVEL, MIHAI_CURRENT } from "@/e2e/harness/payment-request";
import { type Check, hold, type Setting, SkippedError, type Suite } from "./check";

const run = promisify(execFile);
const PINS = join(import.meta.dirname, "requirements.txt");
const CACHE = join(import.meta.dirname, "../../.cache");
/** For each call of the interface, in each of the two modes. */
const EXAMPLES = process.env["CONFORMANCE_EXAMPLES"] ?? "80";
const SEED = process.env["CONFORMANCE_SEED"] ?? "1";
/** Of what schemathesis says about its failures, whose commands to repeat them have whole certificates. */
const SAID_MAX = 20_000;
const SAID_LINE_MAX = 400;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

/** What may not be found once, by the names of schemathesis's kinds of failures; CustomFailure is that of hooks.py. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  "no server error": ["ServerError"],
  "no status that is not described": ["UndefinedStatusCode"],
  "no content type that is not described": [
    "UndefinedContentType",
    "MissingContentType",
    "MalformedMediaType",
  ],
  "no body that is not of its schema": ["JsonSchemaError", "MalformedJson"],
  "no header that is missing or not of its schema": ["MissingHeaders"],
  "methods that are not described are refused, and Allow names the others": [
    "UnsupportedMethodResponse",
    "AllowHeaderMismatch",
  ],
  "nothing that is accepted by the description is refused for a reason it could state": [
    "CustomFailure",
  ],
};

/** The part of schemathesis's report that is read. */
type Report = {
  readonly complete: boolean;
  readonly operations: { readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly { readonly type: string; readonly operations: readonly string[] }[];
  readonly errors: readonly unknown[];
};

export const schemathesis: Suite = {
  name: "schemathesis over /openapi.json",
  checks: async (setting) => {
    let python: string;
    try {
      python = await environment();
    } catch (error) {
      return [{ name: "generated requests", run: () => skipped(error) }];
    }
    const { report, said } = await generated(setting, python);
    if (report.failures.length + report.errors.length > 0) console.log(shortened(said));
    const known = Object.values(KINDS).flat();
    const none = (isMeant: (type: string) => boolean) => () =>
      assert.deepEqual(
        report.failures.filter(({ type }) => isMeant(type)).flatMap(({ operations }) => operations),
        [],
      );
    const { operations, test_cases: cases } = report;
    return [
      {
        name: `${cases.generated} requests to all ${operations.selected} calls`,
        run: () => {
          hold(report.complete && report.errors.length === 0, "not all could be sent, see above");
          assert.equal(operations.tested, operations.selected);
          hold(cases.generated > 2_000, "too few to say anything");
        },
      },
      ...Object.entries(KINDS).map(
        ([name, types]): Check => ({
          name,
          run: none((type) => types.includes(type)),
        }),
      ),
      { name: "no failure of another kind", run: none((type) => !known.includes(type)) },
    ];
  },
};

function shortened(said: string): string {
  const lines = said.split("\n").map((line) => line.slice(0, SAID_LINE_MAX));
  return lines.join("\n").slice(0, SAID_MAX);
}

function skipped(error: unknown): never {
  throw new SkippedError(`schemathesis could not be installed: ${String(error).slice(0, 300)}`);
}

/** A Python of its own with exactly the packages that are pinned, made once. */
async function environment(): Promise<string> {
  const pins = createHash("sha256")
    .update(await readFile(PINS))
    .digest("hex")
    .slice(0, 16);
  const folder = join(CACHE, `conformance-${pins}`);
  const python = join(folder, "bin/python");
  const complete = join(folder, "complete");
  if (existsSync(complete)) return python;
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await run("python3", ["-m", "venv", folder]);
  await run(python, ["-m", "pip", "install", "--quiet", "--no-deps", "-r", PINS], {
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  await writeFile(complete, "");
  return python;
}

/** Runs schemathesis as a TPP with a consent of each kind; what it found and what it said. */
async function generated(setting: Setting, python: string) {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-schemathesis-"));
  try {
    const files = await tppFiles(setting, folder);
    const { stdout } = await run(
      python,
      [
        ...["-m", "schemathesis.cli", "run", `${setting.bank.xs2aUrl}/openapi.json`],
        ...[
          "--tls-verify",
          files.ca,
          "--request-cert",
          files.qwac,
          "--request-cert-key",
          files.key,
        ],
        ...["--phases", "coverage,fuzzing,stateful", "--max-examples", EXAMPLES, "--seed", SEED],
        // What is wrong in a request's signature or token is put right by the hooks, so that these cannot be asked.
        ...["--exclude-checks", "negative_data_rejection,positive_data_acceptance"],
        ...["--exclude-checks", "ignored_auth,missing_required_header"],
        ...[
          "--no-color",
          "--continue-on-failure",
          "--generation-with-security-parameters",
          "false",
        ],
        ...["--report", "json", "--report-json-path", join(folder, "report.json")],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          CONFORMANCE_TPP: files.tpp,
          SCHEMATHESIS_HOOKS: "hooks",
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: "1",
        },
        maxBuffer: OUTPUT_MAX_BYTES,
      },
    ).catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
      // Failures are an exit code of 1 as well; without a report there were none of these.
      if (existsSync(join(folder, "report.json"))) return { stdout: String(error.stdout) };
      throw new Error(`schemathesis did not run: ${error.stderr ?? String(error)}`);
    });
    const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8")) as Report;
    return { report, said: stdout };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The TPP as hooks.py wants to know it: what it signs with, and ids that the bank knows. */
async function tppFiles({ newTpp, newPsu }: Setting, folder: string) {
  const tpp = await newTpp();
  const psu = newPsu();
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("elena", tpp.name);
  const { accessToken } = await tpp.collect(asked);
  const { consentId } = asked;
  const grant = { consentId, accessToken };
  const funds = await authoriseFunds({ tpp, psu });
  const paid = await tpp.askToPay();
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const [account] = accounts;
  if (account === undefined) throw new Error("the consent has no account");
  const query = { bookingStatus: "booked", dateFrom: bankDay(-80) } as const;
  const report = granted(await tpp.bank.transactions(grant, account.resourceId, query));
  const { qwac, qseal, ca } = tpp.certificates;
  const known = {
    aisp: {
      consentId,
      token: accessToken,
      authorisationId: asked.authorisationId,
      "account-id": account.resourceId,
      transactionId: report.transactions.booked?.[0]?.transactionId,
    },
    cbpii: {
      consentId: funds.consentId,
      token: funds.accessToken,
      authorisationId: funds.asked.authorisationId,
      account: { iban: ANA_CURRENT },
    },
    pisp: {
      "payment-service": "payments",
      "payment-product": paid.product,
      paymentId: paid.paymentId,
      authorisationId: paid.authorisationId,
    },
  };
  const written = {
    keyId: keyId(tpp.seal.certificate),
    sealCertificate: tpp.seal.certificate.raw.toString("base64"),
    sealKey: qseal.key,
    redirectUri: tpp.redirectUri,
    ibans: [ANA_CURRENT, ANA_TRAVEL, MIHAI_CURRENT],
    today: bankDay(),
    known,
  };
  const at = (name: string) => join(folder, name);
  const files = {
    tpp: at("tpp.json"),
    ca: at("ca.pem"),
    qwac: at("qwac.pem"),
    key: at("qwac.key"),
  };
  await writeFile(files.tpp, JSON.stringify(written));
  await writeFile(files.ca, ca);
  await writeFile(files.qwac, qwac.pem);
  await writeFile(files.key, qwac.key, { mode: 0o600 });
  return files;
}
