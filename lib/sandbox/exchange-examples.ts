import { type Sample, setupsOf, shell, signedSamples } from "@/lib/xs2a/openapi/samples";
import type { RecordedExchange } from "./demo-tpp-visits";

/** What the client signs and adds by itself. */
const MADE = [
  ...["accept", "content-type", "date", "digest", "signature", "tpp-signature-certificate"],
  ...["x-request-id", "psu-ip-address"],
];

/**
 * The request of an exchange as somebody else would send it: with curl as it was sent, byte for byte, and signed by
 * themselves with the package and the examples of this project. `folder` holds certificates, keys and ca.pem.
 */
export function examplesOf(exchange: RecordedExchange, folder: string): readonly Sample[] {
  const { method, url, headers, body } = exchange;
  const { origin, pathname, search } = new URL(url);
  const request = {
    ...{ method, target: pathname + search, headers: own(exchange) },
    ...(body !== "" && { body: JSON.parse(body) as unknown }),
  };
  const calls =
    headers["signature"] === undefined
      ? unsigned(exchange)
      : Object.fromEntries(signedSamples(request).map(({ language, code }) => [language, code]));
  return [
    { language: "curl", code: curl(exchange, folder) },
    ...setupsOf(origin, folder).map(({ language, code }) => ({
      language,
      code: `${code}\n\n${calls[language]}`,
    })),
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

/** A request that is not signed: the client's connection alone. */
function unsigned({ method, url, headers, body }: RecordedExchange): Record<string, string> {
  const quoted = [method, url].map((text) => JSON.stringify(text));
  const parts = [
    ...Object.entries({ method, url, headers }).map(
      ([name, value]) => `  ${name}: ${JSON.stringify(value)},`,
    ),
    ...(body === "" ? [] : [`  body: Buffer.from(${JSON.stringify(body)}),`]),
  ];
  const bytes = `${JSON.stringify(body)}.encode()`;
  const pairs = Object.entries(headers)
    .flat()
    .map((text) => JSON.stringify(text));
  const map = `Map.of(${pairs.join(", ")})`;
  return {
    TypeScript: ["const answer = await connection.send({", ...parts, "});"].join("\n"),
    Python: `status, answer = tpp.send(${[...quoted, JSON.stringify(headers), bytes].join(", ")})`,
    Java: `var answer = tpp.send(${[...quoted, map, `${JSON.stringify(body)}.getBytes()`].join(", ")});`,
  };
}

function own({ headers }: RecordedExchange): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !MADE.includes(name)));
}
