import { createHash, randomBytes, randomUUID, verify, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import postgres from "postgres";

/**
 * The limit: a bare `node:https` server in a process of its own that does the TLS, the signature and the statements
 * of a request, and nothing else. It shares no code with the product.
 */

/** A value that differs from request to request; an instant is so many milliseconds from now, a random text so long. */
export type Fresh = {
  readonly kind: "request id" | "uuid" | "instant" | "hex" | "base64url";
  readonly size: number;
};
/** With the places of fresh values in it, once it has been read. */
type Text = string | readonly (string | number)[];
export type Statement<Of = string> = {
  readonly text: string;
  readonly prepared: boolean;
  readonly parameters: readonly (Of | null)[];
};
/** One statement; or those of a transaction, with what `begin` says of it. */
export type Unit<Of = string> = {
  readonly begin?: string;
  readonly statements: readonly Statement<Of>[];
};
type Plan = {
  readonly fresh: readonly Fresh[];
  readonly units: readonly Unit<Text>[];
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: Text])[];
  readonly body: Text;
};
/** From the parent. */
export type LimitSettings = {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly databaseUrl: string;
  readonly connections: number;
  /** In JSON, by method, path and consent. */
  readonly plans: Readonly<Record<string, string>>;
};

const [settings] = (await once(process, "message")) as [LimitSettings];
const connections = Array.from({ length: settings.connections }, connect);
const publicKeyOf = new Map<string, X509Certificate["publicKey"]>();
const plans = new Map(
  Object.entries(settings.plans).map(([name, text]) => [name, planFrom(text)] as const),
);
let requests = 0;

const { cert, key, ca } = settings;
// Version and cipher are those that Node and the bank prefer alike.
const tls = { cert, key, ca, requestCert: true, rejectUnauthorized: true };
const server = createServer({ ...tls, keepAliveTimeout: 60_000 }, (request, response) => {
  answer(request).then(
    ({ status, headers, body }) => response.writeHead(status, headers).end(body),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.listen(0, () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());

async function answer(request: IncomingMessage) {
  const { headers, method = "", url = "" } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (!isSigned(headers, Buffer.concat(chunks))) throw new Error("the signature does not verify");
  const plan = plans.get(`${method} ${url} ${headers["consent-id"]}`);
  if (plan === undefined) throw new Error(`no plan for ${method} ${url}`);
  const values = plan.fresh.map((one) => freshValue(one, String(headers["x-request-id"])));
  const sql = connections[requests++ % connections.length];
  if (sql === undefined) throw new Error("there is no connection");
  for (const { begin, statements } of plan.units) {
    const send = (on: postgres.Sql | postgres.TransactionSql) => replay(on, statements, values);
    await (begin === undefined ? send(sql) : sql.begin(begin, send));
  }
  return {
    status: plan.status,
    headers: plan.headers.flatMap(([name, value]) => [name, filled(value, values)]),
    body: filled(plan.body, values),
  };
}

async function replay(
  sql: postgres.Sql | postgres.TransactionSql,
  statements: readonly Statement<Text>[],
  values: readonly string[],
) {
  for (const { text, prepared, parameters } of statements) {
    const given = parameters.map((one) => (one === null ? null : filled(one, values)));
    await sql.unsafe(text, given, { prepare: prepared }).values();
  }
}

/** The digest of the body, and the RSA signature of the headers by the certificate that comes with them. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const digest = createHash("sha256").update(body).digest("base64");
  if (headers["digest"] !== `SHA-256=${digest}`) return false;
  const [signature, certificate] = [headers["signature"], headers["tpp-signature-certificate"]];
  if (typeof signature !== "string" || typeof certificate !== "string") return false;
  const [, names, value] = /headers="([^"]*)",signature="([^"]*)"/.exec(signature) ?? [];
  if (names === undefined || value === undefined) return false;
  const lines = names.split(" ").map((name) => `${name}: ${headers[name]}`);
  const key =
    publicKeyOf.get(certificate) ??
    new X509Certificate(Buffer.from(certificate, "base64")).publicKey;
  publicKeyOf.set(certificate, key);
  return verify("sha256", Buffer.from(lines.join("\n")), key, Buffer.from(value, "base64"));
}

function freshValue({ kind, size }: Fresh, requestId: string): string {
  if (kind === "request id") return requestId;
  if (kind === "uuid") return randomUUID();
  if (kind === "instant") return new Date(Date.now() + size).toISOString();
  return randomBytes(size).toString(kind).slice(0, size);
}

/** A number between two zeros is the place of a fresh value. */
function planFrom(json: string): Plan {
  return JSON.parse(json, (_, value) => {
    if (typeof value !== "string" || !value.includes("\0")) return value;
    return value.split("\0").map((part, index) => (index % 2 === 0 ? part : Number(part)));
  });
}

function filled(text: Text, values: readonly string[]): string {
  if (typeof text === "string") return text;
  return text.map((part) => (typeof part === "string" ? part : values[part])).join("");
}

/**
 * A driver for each connection, since the driver's own pool takes longer the more statements it has sent. Parameters go
 * out in the text that PostgreSQL logged them in.
 */
function connect(): postgres.Sql {
  const asItIs = (value: unknown) => value;
  const text = { to: 25, from: [16, 17, 1082, 1114, 1184], serialize: asItIs, parse: asItIs };
  const json = { to: 114, from: [114, 3802], serialize: asItIs, parse: JSON.parse };
  return postgres(settings.databaseUrl, {
    ...{ max: 1, max_lifetime: null, fetch_types: false, onnotice: () => undefined },
    types: { text, json },
  });
}
