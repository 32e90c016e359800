import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Exchange, type HttpReply, http, text } from "@/clients/typescript/src";
import { at, child, keys, meant, type Pointer } from "./json-pointer";
import type { Standard } from "./openapi";
import type { ServerSettings } from "./server";

type Validate = (schema: Pointer, value: unknown) => readonly string[];
type Described = { readonly document: object; readonly validate: Validate };
type Sent = Exchange["request"];
/** A path of the description, and what it has in the place of its parameters. */
type Template = { readonly pointer: Pointer; readonly matches: RegExp };
type Operation = { readonly pointer: Pointer; readonly template: Template };

const REFUSALS: Readonly<Record<string, Pointer>> = {
  "application/json": "/components/schemas/TppMessages",
  "application/problem+json": "/components/schemas/Problem",
};

/** The bank's own description, as it is served without a client certificate. */
export async function description({ xs2aUrl, dataDir }: ServerSettings): Promise<object> {
  const connection = http({ ca: readFileSync(join(dataDir, "ca", "ca.pem"), "utf8") });
  const url = `${xs2aUrl}/openapi.json`;
  const { status, body } = await connection.send({ method: "GET", url, headers: {} });
  await connection.close();
  if (status !== 200) throw new Error(`${url} answers ${status}`);
  return JSON.parse(text(body)) as object;
}

/** Says what in an exchange is not as the bank itself describes it. */
export function contract(document: object): Standard {
  const described = { document, validate: validator(document) };
  const templates = keys(document, "/paths").map(template);
  const answered = new Set<string>();

  return ({ request, reply }) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/open-banking/")) return [];
    // Who repeats a request gets its first answer again, whatever it says now.
    const id = `${request.method} ${sentHeader(request, "x-request-id")}`;
    const repeated = answered.has(id);
    answered.add(id);
    const operation = operationOf(described, templates, request);
    const asked = operation !== undefined && reply.status < 300 && !repeated;
    const faults = [
      ...(operation === undefined
        ? notOfferedFaults(described, request, reply)
        : answerFaults(described, operation, reply)),
      ...(asked ? requestFaults(described, operation, request) : []),
    ];
    return faults.map((fault) => `${request.method} ${pathname} ${reply.status}: ${fault}`);
  };
}

/** Undefined when nothing is offered: no such path, no such method. */
function operationOf(
  { document }: Described,
  templates: readonly Template[],
  request: Sent,
): Operation | undefined {
  const { pathname } = new URL(request.url);
  const template = templates.find(({ matches }) => matches.test(pathname));
  if (template === undefined) return undefined;
  const pointer = child(template.pointer, request.method.toLowerCase());
  return at(document, pointer) === undefined ? undefined : { pointer, template };
}

/** What is not in the description is refused, in the form that refusals have. */
function notOfferedFaults(
  { validate }: Described,
  { method }: Sent,
  reply: HttpReply,
): readonly string[] {
  if (![400, 401, 403, 404, 405].includes(reply.status)) return ["granted, and not described"];
  if (method === "HEAD") return [];
  const schema = REFUSALS[typeOf(reply)];
  return schema === undefined ? [`a refusal as ${typeOf(reply)}`] : validate(schema, json(reply));
}

function answerFaults(
  { document, validate }: Described,
  { pointer }: Operation,
  reply: HttpReply,
): readonly string[] {
  const response = child(pointer, "responses", String(reply.status));
  if (at(document, response) === undefined) return ["a status that is not described"];
  const headers = keys(document, child(response, "headers")).flatMap((name) => {
    const header = meant(document, child(response, "headers", name));
    const value = reply.headers[name.toLowerCase()];
    const required = at(document, child(header, "required")) === true;
    if (value === undefined) return required ? [`header ${name} is missing`] : [];
    return validate(child(header, "schema"), value).map((why) => `header ${name}${why}`);
  });
  const types = keys(document, child(response, "content"));
  if (types.length === 0) return [...headers, ...(reply.body.byteLength > 0 ? ["a body"] : [])];
  const type = typeOf(reply);
  if (!types.includes(type)) return [...headers, `content-type ${type}`];
  const schema = child(response, "content", type, "schema");
  return [...headers, ...validate(schema, json(reply)).map((why) => `body${why}`)];
}

/** What was granted was asked for as the description says that it has to be. */
function requestFaults(
  described: Described,
  operation: Operation,
  request: Sent,
): readonly string[] {
  const places = ["path", "query", "header"] as const;
  const parameters = parameterFaults(described, operation, request, places);
  const body = child(operation.pointer, "requestBody", "content", "application/json", "schema");
  if (at(described.document, body) === undefined) return parameters;
  if (request.body === undefined) return [...parameters, "asked without a body"];
  const value: unknown = JSON.parse(text(request.body));
  return [...parameters, ...described.validate(body, value).map((why) => `asked with${why}`)];
}

function parameterFaults(
  { document, validate }: Described,
  { pointer, template: { matches } }: Operation,
  request: Sent,
  places: readonly ("path" | "query" | "header")[],
): readonly string[] {
  const { pathname, searchParams } = new URL(request.url);
  const sent = {
    header: (name: string) => sentHeader(request, name),
    query: (name: string) => searchParams.get(name),
    path: (name: string) => matches.exec(pathname)?.groups?.[group(name)],
  };
  return keys(document, child(pointer, "parameters")).flatMap((index) => {
    const parameter = meant(document, child(pointer, "parameters", index));
    const said = (member: string) => at(document, child(parameter, member));
    const name = String(said("name"));
    const place = places.find((one) => one === said("in"));
    if (place === undefined) return [];
    const value = sent[place](name) ?? undefined;
    if (value === undefined) return said("required") === true ? [`${name} was not sent`] : [];
    return validate(child(parameter, "schema"), value).map((why) => `${name}${why}`);
  });
}

function sentHeader({ headers }: Sent, name: string): string | null {
  return new Headers(headers as Record<string, string>).get(name);
}

/** No group of a regular expression has a hyphen in its name. */
function group(parameter: string): string {
  return parameter.replaceAll("-", "_");
}

/** Signing baskets are a resource of the standard beside the payment services, and no service of that name. */
function template(name: string): Template {
  const source = name
    .replace(/\./g, "\\.")
    .replace(/\{([\w-]+)\}/g, (_, parameter) => `(?<${group(parameter)}>(?!signing-baskets)[^/]+)`);
  return { pointer: child("/paths", name), matches: new RegExp(`^${source}$`) };
}

function validator(document: object): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, "bank");
  return (schema, value) => {
    const check = ajv.getSchema(`bank#${encodeURI(schema)}`);
    if (check === undefined) throw new Error(`the description has no schema at ${schema}`);
    if (check(value) === true) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

function typeOf({ headers }: HttpReply): string {
  return String(headers["content-type"]).split(";", 1)[0] as string;
}

function json({ body }: HttpReply): unknown {
  return JSON.parse(text(body));
}
