import { accessOf, type Call, ownParameters } from "./reading";

export type Sample = { readonly language: string; readonly code: string };

/** A signed request, without what the client adds by itself. */
type SampleRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** IBANs of the PSU: of an account in lei, and of one with several currencies. */
type Accounts = Readonly<Record<"current" | "travel", string>>;

const bodies = ({ current, travel }: Accounts): Readonly<Record<string, object>> => ({
  createAccountConsent: {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: "9999-12-31",
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  },
  createFundsConsent: { account: { iban: current } },
  confirmFunds: {
    account: { iban: current },
    instructedAmount: { currency: "RON", amount: "100.00" },
  },
  initiatePayment: {
    debtorAccount: { iban: travel },
    instructedAmount: { currency: "EUR", amount: "12.50" },
    creditorAccount: { iban: "DE89370400440532013000" },
    creditorName: "Bakery",
  },
});

const UNKNOWN = { current: "PSU_IBAN", travel: "PSU_IBAN" };

/** At which the programs of examples/tpp wait for the PSU. */
export const SAMPLE_REDIRECT_URI = "http://localhost:8080/callback";

const IN_PATH: Readonly<Record<string, string>> = {
  "payment-service": "payments",
  "payment-product": "sepa-credit-transfers",
};

const IN_HEADERS: Readonly<Record<string, string>> = {
  "consent-id": "CONSENT_ID",
  "psu-ip-address": "198.51.100.7",
  "tpp-redirect-uri": SAMPLE_REDIRECT_URI,
};

/**
 * A call as its example sends it. Words in capital letters, as CONSENT_ID, stand for what the bank has answered before, ids
 * and the access token, and for the PSU's IBAN where no account is given.
 */
export function sampleRequest(call: Call, accounts: Accounts = UNKNOWN): SampleRequest {
  const { operationId, method, path } = call;
  const names = ownParameters(call).map(({ name }) => name.toLowerCase());
  const query = names.includes("bookingstatus") ? "?bookingStatus=booked&dateFrom=DATE_FROM" : "";
  const address = path.replaceAll(
    /\{([^}]+)\}/g,
    (_, name: string) => IN_PATH[name] ?? placeholder(name),
  );
  const sent = Object.entries(IN_HEADERS).filter(([name]) => names.includes(name));
  const token = accessOf(call).token === "required" && { authorization: "Bearer ACCESS_TOKEN" };
  return {
    ...{ method: method.toUpperCase(), target: address + query },
    ...{ headers: { ...Object.fromEntries(sent), ...token }, body: bodies(accounts)[operationId] },
  };
}

/** `account-id` and `consentId` as ACCOUNT_ID and CONSENT_ID. */
function placeholder(name: string): string {
  return name
    .replace(/^X-Request-ID$/, "request-id")
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("-", "_")
    .toUpperCase();
}

/** The request in each language; with curl by the `qwac` and `sign` of docs/tpp.md. */
export function samplesOf(request: SampleRequest, xs2aUrl: string): readonly Sample[] {
  return [{ language: "curl", code: curl(request, xs2aUrl) }, ...signedSamples(request)];
}

/** In the languages of which there is a client here. */
export function signedSamples(request: SampleRequest): readonly Sample[] {
  const { method, target, headers, body } = request;
  const quoted = [method, target].map((text) => JSON.stringify(text));
  const options = JSON.stringify({ headers, body }, null, 2);
  const json = body === undefined ? "" : JSON.stringify(body);
  const dictionaries = [headers, ...(body === undefined ? [] : [body])].map(python);
  const pairs = Object.entries(headers)
    .flat()
    .map((text) => JSON.stringify(text));
  const code = {
    TypeScript: `const answer = await bank.call(${[...quoted, options].join(", ")});`,
    Python: `answer = tpp.call(${[...quoted, ...dictionaries].join(", ")})`,
    Java: `var answer = tpp.call(${[...quoted, `Map.of(${pairs.join(", ")})`, java(json)].join(", ")});`,
  };
  return Object.entries(code).map(([language, text]) => ({ language, code: text }));
}

/** What stands before all samples of a language. `folder` holds certificates, keys and ca.pem. */
export function setupsOf(xs2aUrl: string, folder: string): readonly Sample[] {
  const typescript = [
    'import { readFileSync } from "node:fs";',
    'import { http, seal, xs2a } from "@drawbridge/xs2a";',
    "",
    `const pem = (name: string) => readFileSync(${JSON.stringify(`${folder}/`)} + name, "utf8");`,
    'const certificate = { pem: pem("qwac.pem"), key: pem("qwac.key") };',
    'const connection = http({ certificate, ca: pem("ca.pem") });',
    "const bank = xs2a({",
    `  url: ${JSON.stringify(xs2aUrl)},`,
    "  http: connection,",
    '  seal: seal(pem("qseal.pem"), pem("qseal.key")),',
    "});",
  ];
  const python = [
    "from pathlib import Path",
    "from tpp import Tpp  # tpp.py of the first call",
    "",
    `# In the environment: XS2A_URL=${xs2aUrl}`,
    `tpp = Tpp(Path(${JSON.stringify(folder)}))`,
  ];
  const java = [
    `// In a class beside Tpp.java of the first call, with java.nio.file.Path and java.util.Map imported, and`,
    `// compiled with it: javac *.java. In the environment: XS2A_URL=${xs2aUrl}`,
    `Tpp tpp = new Tpp(Path.of(${JSON.stringify(folder)}));`,
  ];
  return Object.entries({ TypeScript: typescript, Python: python, Java: java }).map(
    ([language, lines]) => ({ language, code: lines.join("\n") }),
  );
}

function curl({ method, target, headers, body }: SampleRequest, xs2aUrl: string): string {
  const redirectUri = headers["tpp-redirect-uri"];
  const others = Object.entries(headers).filter(([name]) => name !== "tpp-redirect-uri");
  const sent = [
    `curl "\${qwac[@]}" --request ${method} -H @headers.txt`,
    ...others.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`-H ${shell("content-type: application/json")}`, "--data-binary @body.json"]),
    shell(xs2aUrl + target),
  ];
  return [
    `printf '%s' ${shell(body === undefined ? "" : JSON.stringify(body))} > body.json`,
    ["sign body.json", ...(redirectUri === undefined ? [] : [redirectUri])].join(" "),
    sent.join(" \\\n  "),
  ].join("\n");
}

/** For a POSIX shell. */
export function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** JSON as Python writes it. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${python(one)}`,
  );
  return `{${members.join(", ")}}`;
}

/** As a text block, where nothing in it is to be escaped. */
function java(text: string): string {
  return text === "" || /\\|"""|"$/.test(text) ? JSON.stringify(text) : `"""\n    ${text}"""`;
}
