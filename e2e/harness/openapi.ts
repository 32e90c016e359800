import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { type Exchange, type HttpReply, text } from "@/clients/typescript/src";
import { at, child, keys, meant, type Pointer } from "./json-pointer";

const FOLDER = join(import.meta.dirname, "../../../shared/standard");

/** Says what in an answer is not as the standard's OpenAPI file has it. */
export type Standard = (exchange: Exchange) => readonly string[];
type Validate = (schema: Pointer, value: unknown) => readonly string[];
type Template = { readonly pointer: Pointer; readonly name: string; readonly matches: RegExp };

/** A file of the standard, and which of the bank's paths are which of the file's. */
type File = { readonly name: string; readonly pathOf: (path: string) => string | undefined };

const FILES: readonly File[] = [
  { name: "xs2a-1.3.12.openapi.yaml", pathOf: xs2aPath },
  { name: "funds-consent-2.0.openapi.yaml", pathOf: fundsConsentPath },
];

/** Undefined where the files are not at hand. */
export function standard(): Standard | undefined {
  const known = FILES.flatMap(({ name, pathOf }) => {
    const document = documentOf(name);
    return document === undefined ? [] : [heldAgainst(document, pathOf)];
  });
  if (known.length === 0) return undefined;
  return (exchange) => known.flatMap((faultsOf) => faultsOf(exchange));
}

/** Once for all workers: to read so much YAML takes each of them longer than most of its tests. */
export function keepStandardAsJson(folder: string): void {
  for (const { name } of FILES) {
    const document = documentOf(name);
    if (document !== undefined) writeFileSync(join(folder, name), JSON.stringify(document));
  }
  process.env["E2E_STANDARD"] = folder;
}

function documentOf(name: string): unknown {
  const kept = process.env["E2E_STANDARD"];
  const file = join(kept ?? FOLDER, name);
  if (!existsSync(file)) return undefined;
  const content = readFileSync(file, "utf8");
  return kept === undefined ? parse(content) : JSON.parse(content);
}

function heldAgainst(file: unknown, pathOf: File["pathOf"]): Standard {
  const document = withNewerCodes(withNumericBounds(file));
  const templates = keys(document, "/paths").map(template).sort(byParameters);
  const validate = validator(document);

  return ({ request, reply }) => {
    const path = pathOf(new URL(request.url).pathname);
    const found = templates.find(({ matches }) => path !== undefined && matches.test(path));
    if (found === undefined) return [];
    const method = request.method.toLowerCase();
    const place = child(found.pointer, method, "responses", String(reply.status));
    if (at(document, place) === undefined) return [];
    const response = meant(document, place);
    return [
      ...headerFaults(document, response, reply, validate),
      ...bodyFaults(document, response, reply, validate),
    ].map((fault) => `${request.method} ${found.name} ${reply.status}: ${fault}`);
  };
}

/** The bank's areas have prefixes of their own before the standard's paths. */
function xs2aPath(path: string): string | undefined {
  const [, area, rest] = /^\/open-banking\/v3\.1\/(aisp|pisp|cbpii)(\/.*)$/.exec(path) ?? [];
  const known = { aisp: /^\/v1\/(accounts|consents)/, pisp: /^\/v1\//, cbpii: /^\/v1\/funds-/ };
  return area !== undefined && known[area as keyof typeof known].test(String(rest))
    ? rest
    : undefined;
}

/** That file has its version in the server's address. */
function fundsConsentPath(path: string): string | undefined {
  return /^\/open-banking\/v3\.1\/cbpii\/v2(\/.*)$/.exec(path)?.[1];
}

function template(name: string): Template {
  const source = name.trim().replace(/\{[^}]+\}/g, "[^/]+");
  return { name, pointer: child("/paths", name), matches: new RegExp(`^${source}$`) };
}

/** `/v1/consents/{consentId}/status` is meant before `/v1/{service}/{product}/{paymentId}` is. */
function byParameters(one: Template, other: Template): number {
  return one.name.split("{").length - other.name.split("{").length;
}

function headerFaults(
  document: unknown,
  response: Pointer,
  { headers }: HttpReply,
  validate: Validate,
): readonly string[] {
  return keys(document, child(response, "headers")).flatMap((name) => {
    const header = meant(document, child(response, "headers", name));
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      return at(document, child(header, "required")) === true ? [`header ${name} is missing`] : [];
    }
    const typed = /^(true|false)$/.test(value) ? value === "true" : value;
    return validate(child(header, "schema"), typed).map((why) => `header ${name} ${why}`);
  });
}

function bodyFaults(
  document: unknown,
  response: Pointer,
  { status, headers, body }: HttpReply,
  validate: Validate,
): readonly string[] {
  const types = keys(document, child(response, "content"));
  if (types.length === 0) {
    // The standard shows some refusals without a body and does not forbid one.
    return body.byteLength > 0 && status < 400 ? ["a body where the standard has none"] : [];
  }
  const type = String(headers["content-type"]).split(";", 1)[0] as string;
  if (!types.includes(type)) return [`content-type ${type} is not one of ${types.join(", ")}`];
  const schema = child(response, "content", type, "schema");
  return validate(schema, JSON.parse(text(body))).map((why) => `body${why}`);
}

/** Of OpenAPI's own words ajv knows `nullable`, and passes over those that only describe. */
function validator(document: object): Validate {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  // The format of that name in ajv-formats knows no host without a dot.
  ajv.addFormat("url", URL.canParse);
  ajv.addSchema(document, "xs2a");
  return (schema, value) => {
    const check = ajv.getSchema(`xs2a#${encodeURI(schema)}`);
    if (check === undefined) throw new Error(`the standard has no schema at ${schema}`);
    if (check(value) === true) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** OpenAPI 3.0 says with `exclusiveMinimum: true` what JSON Schema says with the number itself. */
function withNumericBounds(value: unknown): object {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || !("exclusiveMinimum" in member)) {
      return member;
    }
    const { exclusiveMinimum, ...rest } = member;
    if (typeof exclusiveMinimum !== "boolean" || !("minimum" in rest)) return member;
    const { minimum, ...others } = rest;
    return exclusiveMinimum ? { ...others, exclusiveMinimum: minimum } : rest;
  });
  return JSON.parse(text);
}

/** The file of the funds consent is older than two codes of the standard it belongs to. */
function withNewerCodes(value: object): object {
  const newer = ["ROLE_INVALID", "CERTIFICATE_REVOKED"];
  const text = JSON.stringify(value, (name, member: unknown) =>
    name === "enum" && Array.isArray(member) && member.includes("CERTIFICATE_MISSING")
      ? [...new Set([...member, ...newer])]
      : member,
  );
  return JSON.parse(text);
}
