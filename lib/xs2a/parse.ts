import * as z from "zod";
import { type Fault, type MessageCode, messageCodes, Rejection } from "@/lib/domain/errors";
import { truncated } from "@/lib/eidas/certificate-fault";
import type { Form, FormByPath, SchemaContext } from "./declaration";
import { type HttpHeaders, headerName } from "./http";

type Part = "header" | "path" | "query" | "body";

/**
 * One part of a request in the form its endpoint declares. All faults of the part are reported in one
 * answer, an entry each with its path. Rejects with 400 FORMAT_ERROR, or the code a rule names.
 */
export function parse<Value, Given extends SchemaContext>(
  part: Part,
  form: Form<Value, Given>,
  source: unknown,
  schemaContext: Given,
): Value {
  return parseWith(part, schemaOf(form, schemaContext), source);
}

export function parseWith<Value>(part: Part, schema: z.ZodType<Value>, source: unknown): Value {
  const sent = part === "header" ? Object.fromEntries(source as HttpHeaders) : plain(source);
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues.flatMap((issue) => faultsOf(part, issue, sent));
  if (first === undefined) throw new Error("a schema refused without saying why");
  throw new Rejection(statusFor(part, first.code), [first, ...others]);
}

/** Some codes have another status for what is in the path than for what was sent along with it. */
function statusFor(part: Part, code: MessageCode): number {
  const statuses: readonly number[] = messageCodes[code];
  return part !== "path" && statuses.includes(400) ? 400 : messageCodes[code][0];
}

/** A query as a plain record; a parameter given twice stays visible as a list. */
function plain(source: unknown): unknown {
  if (!(source instanceof URLSearchParams)) return source;
  if (source.size === 0) return {};
  const values = new Map<string, string[]>();
  // In one pass: a caller may send thousands.
  for (const [name, value] of source) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const entries = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return Object.fromEntries(entries);
}

function faultsOf(part: Part, issue: z.core.$ZodIssue, sent: unknown): readonly Fault[] {
  const code = codeOf(issue);
  if (issue.code === "unrecognized_keys") {
    // The caller's own names: what no database keeps as text is not told either.
    return issue.keys.map((key) => {
      const name = truncated(key, NAME_CHARACTERS_MAX);
      return { code, path: pathOf(part, [...issue.path, name]), text: `${name} is not supported` };
    });
  }
  const path = pathOf(part, issue.path);
  const text = issueText(issue, path, valueAt(issue.path, sent));
  return path === "" ? [{ code, text }] : [{ code, path, text }];
}

function valueAt(path: readonly PropertyKey[], sent: unknown): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    sent,
  );
}

/** For schemas: says "is missing" of what is not there, and the rest in the rule's own words. */
export const orMissing = (text: string) => ({
  error: (issue: { readonly input?: unknown }) => (issue.input === undefined ? isMissing : text),
});

/** A rule may name its own code in `params`; everything else is a matter of form. */
function codeOf(issue: z.core.$ZodIssue): MessageCode {
  const named: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
  return typeof named === "string" && named in messageCodes
    ? (named as MessageCode)
    : "FORMAT_ERROR";
}

/** `access.accounts[0].iban`; headers by the names the standard gives them. */
function pathOf(part: Part, path: readonly PropertyKey[]): string {
  if (part === "header") return path.map((name) => headerName(String(name))).join(".");
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

export function schemaOf<Value, Given extends SchemaContext>(
  form: Form<Value, Given>,
  schemaContext: Given,
): z.ZodType<Value> {
  return typeof form === "function" ? cached(form, schemaContext) : form;
}

export function bodySchemaOf<Path, Value>(
  form: Form<Value> | FormByPath<Path, Value>,
  schemaContext: SchemaContext,
  path: Path,
): z.ZodType<Value> {
  if (form instanceof z.ZodType || typeof form === "function") return schemaOf(form, schemaContext);
  const name = form.nameOf(path);
  const schema = cached(form.forms, schemaContext)[name];
  if (schema === undefined) throw new Error(`there is no form ${name}`);
  return schema;
}

/** To make a schema costs a hundred times as much as to use it. */
const schemasMade = new WeakMap<SchemaContext, Map<unknown, unknown>>();

function cached<Given extends SchemaContext, Made>(
  make: (schemaContext: Given) => Made,
  schemaContext: Given,
): Made {
  const known = schemasMade.get(schemaContext) ?? new Map<unknown, unknown>();
  schemasMade.set(schemaContext, known);
  const made = known.get(make) ?? make(schemaContext);
  known.set(make, made);
  return made as Made;
}

const isMissing = "missing";

const KINDS: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  date: "a date YYYY-MM-DD",
};
const SHORT_CHARACTERS_MAX = 12;
const NAME_CHARACTERS_MAX = 70;
/** How the rules of this interface begin: what they speak of is named by its path. */
const ABOUT_THE_PART = /^(?:is|are|must|has|goes|names|lies) /;

/**
 * What a rule says, about which part, and what was sent there: a client's developer sees the answer
 * and often not the request.
 */
function issueText(issue: z.core.$ZodIssue, path: string, sent: unknown): string {
  const { message } = issue;
  const isDefault = /^(?:Invalid|Too (?:big|small))/.test(message);
  if (message === isMissing || (isDefault && sent === undefined)) return `${path} is missing`;
  const rule = isDefault ? (inWords(issue) ?? `is not accepted: ${message}`) : message;
  if (path === "" || !ABOUT_THE_PART.test(rule)) return rule;
  return `${path} ${rule}${inShort(sent, issue.code)}`;
}

function inWords(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "invalid_value") return `is one of ${issue.values.join(", ")}`;
  if (issue.code === "invalid_type" || issue.code === "invalid_format") {
    const kind = issue.code === "invalid_type" ? KINDS[issue.expected] : FORMATS[issue.format];
    return kind && `is not ${kind}`;
  }
  if (issue.code === "too_small" && issue.origin === "number")
    return `is at least ${issue.minimum}`;
  if (issue.code !== "too_big") return undefined;
  if (issue.origin === "string") return `has more than ${issue.maximum} characters`;
  if (issue.origin === "number") return `is at most ${issue.maximum}`;
  return issue.origin === "array" ? `has more than ${issue.maximum} entries` : undefined;
}

/** Long texts may be account or card numbers, which are not for the logs that answers end in. */
function inShort(sent: unknown, code: z.core.$ZodIssue["code"]): string {
  if (sent === undefined) return "";
  if (typeof sent === "object" && sent !== null) {
    const kind = Array.isArray(sent) ? KINDS["array"] : KINDS["object"];
    return code === "custom" ? "" : `; ${kind} was sent`;
  }
  const isLong = typeof sent === "string" && sent.length > SHORT_CHARACTERS_MAX;
  if (isLong) return `; a text of ${sent.length} characters was sent`;
  return `; ${truncated(JSON.stringify(sent))} was sent`;
}
