import { z } from "zod";
import type { MessageCode } from "@/lib/domain/message-codes";
import { messageCodes } from "@/lib/domain/message-codes";
import { type Fault, Rejection } from "@/lib/domain/rejection";
import type { Circumstances } from "./circumstances";
import type { Form } from "./endpoint";
import { headerName } from "./header-names";
import type { HttpHeaders } from "./http";
import { isMissing, issueText } from "./issue-text";
import { schemaOf } from "./schema-of";

type Part = "header" | "path" | "query" | "body";
type Source = HttpHeaders | URLSearchParams | Readonly<Record<string, unknown>> | unknown;

/**
 * One part of a request in the form its endpoint declares. All faults of the part are told in one
 * answer, an entry each with its path. Rejects with 400 FORMAT_ERROR, or the code a rule names.
 */
export function parse<Value, Given extends Circumstances>(
  part: Part,
  form: Form<Value, Given>,
  source: Source,
  circumstances: Given,
): Value {
  const schema = schemaOf(form, circumstances);
  const sent = part === "header" ? record(source, schema) : plain(source);
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

/** A request has twice as many headers as any form asks for, and no form minds those that it does not name. */
function record(source: Source, schema: z.ZodType): unknown {
  const isIterable = typeof source === "object" && source !== null && Symbol.iterator in source;
  if (!isIterable) return source;
  const headers = source as HttpHeaders;
  const names = namesIn(schema);
  if (names === undefined) return Object.fromEntries(headers);
  const sent: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) sent[name] = value;
  }
  return sent;
}

const namesOf = new WeakMap<z.ZodType, readonly string[]>();

/** The headers that a form names; undefined where it sees them all. */
function namesIn(schema: z.ZodType): readonly string[] | undefined {
  const known = namesOf.get(schema);
  if (known !== undefined) return known;
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return undefined;
  const names = Object.keys(schema.shape);
  namesOf.set(schema, names);
  return names;
}

/** A query as a plain record; a parameter given twice stays visible as a list. */
function plain(source: Source): unknown {
  if (!(source instanceof URLSearchParams)) return source;
  if (source.size === 0) return {};
  const names = [...new Set(source.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = source.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

function faultsOf(part: Part, issue: z.core.$ZodIssue, sent: unknown): readonly Fault[] {
  const code = codeOf(issue);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      code,
      path: pathOf(part, [...issue.path, key]),
      text: `${key.slice(0, 70)} is not supported`,
    }));
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
