import type { RecordedExchange } from "./demo-tpp-visits";

/** What the client signs and adds by itself. */
const MADE = [
  ...["accept", "content-type", "date", "digest", "signature", "tpp-signature-certificate"],
  ...["x-request-id", "psu-ip-address"],
];

export type Example = { readonly language: string; readonly code: string };

/**
 * The request of an exchange as somebody else would send it: with curl as it was sent, byte for byte, and signed by
 * themselves with the package and the examples of this project. `folder` holds certificates, keys and ca.pem.
 */
export function examplesOf(exchange: RecordedExchange, folder: string): readonly Example[] {
  return [
    { language: "curl", code: curl(exchange, folder) },
    { language: "TypeScript", code: typescript(exchange, folder) },
    { language: "Python", code: python(exchange, folder) },
    { language: "Java", code: java(exchange, folder) },
  ];
}

/** The text under the signature; undefined for a request that is not signed. */
export function signingStringOf({ headers }: RecordedExchange): string | undefined {
  const names = /headers="([^"]*)"/.exec(headers["signature"] ?? "none")?.[1]?.split(" ");
  return names?.map((name) => `${name}: ${headers[name]}`).join("\n");
}

function curl({ method, url, headers, body }: RecordedExchange, folder: string): string {
  const lines = [
    `curl --request ${method} ${shell(url)}`,
    ...[
      ["cacert", "ca.pem"],
      ["cert", "qwac.pem"],
      ["key", "qwac.key"],
    ].map(([option, file]) => `--${option} ${shell(`${folder}/${file}`)}`),
    ...Object.entries(headers).map(([name, value]) => `--header ${shell(`${name}: ${value}`)}`),
    ...(body === "" ? [] : [`--data-binary ${shell(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

function typescript(exchange: RecordedExchange, folder: string): string {
  const { method, url, headers, body } = exchange;
  const signed = exchange.headers["signature"] !== undefined;
  const start = [
    'import { readFileSync } from "node:fs";',
    'import { http, seal, xs2a } from "@drawbridge/xs2a";',
    "",
    `const pem = (name: string) => readFileSync(${JSON.stringify(`${folder}/`)} + name, "utf8");`,
    'const certificate = { pem: pem("qwac.pem"), key: pem("qwac.key") };',
    'const connection = http({ certificate, ca: pem("ca.pem") });',
  ];
  if (!signed) {
    const parts = [
      ...Object.entries({ method, url, headers }).map(
        ([name, value]) => `  ${name}: ${JSON.stringify(value)},`,
      ),
      ...(body === "" ? [] : [`  body: Buffer.from(${JSON.stringify(body)}),`]),
    ];
    return [...start, "", "const answer = await connection.send({", ...parts, "});"].join("\n");
  }
  const options = {
    headers: own(exchange),
    ...(body !== "" && { body: JSON.parse(body) as unknown }),
  };
  return [
    ...start,
    "const bank = xs2a({",
    `  url: ${JSON.stringify(new URL(url).origin)},`,
    "  http: connection,",
    '  seal: seal(pem("qseal.pem"), pem("qseal.key")),',
    "});",
    "",
    `const answer = await bank.call("${method}", ${JSON.stringify(target(url))}, ${JSON.stringify(options, null, 2)});`,
  ].join("\n");
}

/** Beside examples/tpp/python/tpp.py; a JSON object of strings is a dictionary of Python as well. */
function python(exchange: RecordedExchange, folder: string): string {
  const { method, url, headers, body } = exchange;
  const start = [
    "import json",
    "from pathlib import Path",
    "from tpp import Tpp  # examples/tpp/python/tpp.py",
    "",
    `tpp = Tpp(Path(${JSON.stringify(folder)}))`,
  ];
  if (headers["signature"] === undefined) {
    const args = [method, url].map((text) => JSON.stringify(text));
    const all = [...args, JSON.stringify(headers), `${JSON.stringify(body)}.encode()`];
    return [...start, `status, answer = tpp.send(${all.join(", ")})`].join("\n");
  }
  const args = [method, target(url)].map((text) => JSON.stringify(text));
  const sent = body === "" ? [] : [`json.loads(${JSON.stringify(body)})`];
  const all = [...args, JSON.stringify(own(exchange)), ...sent];
  return [...start, `answer = tpp.call(${all.join(", ")})`].join("\n");
}

/** Beside examples/tpp/java/Tpp.java. */
function java(exchange: RecordedExchange, folder: string): string {
  const { method, url, headers, body } = exchange;
  const signed = headers["signature"] !== undefined;
  const pairs = Object.entries(signed ? own(exchange) : headers).flat();
  const map = `Map.of(${pairs.map((text) => JSON.stringify(text)).join(", ")})`;
  const call = signed
    ? `tpp.call("${method}", ${JSON.stringify(target(url))}, ${map}, ${JSON.stringify(body)})`
    : `tpp.send("${method}", ${JSON.stringify(url)}, ${map}, ${JSON.stringify(body)}.getBytes())`;
  return [
    "// Beside examples/tpp/java/Tpp.java.",
    `Tpp tpp = new Tpp(Path.of(${JSON.stringify(folder)}));`,
    `var answer = ${call};`,
  ].join("\n");
}

function own({ headers }: RecordedExchange): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !MADE.includes(name)));
}

function target(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
