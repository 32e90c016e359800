import type { OpenApi } from "./document";
import type { Header, JsonSchema, Operation, Parameter, Reference, Response } from "./open-api";

export type Call = Operation & { readonly method: string; readonly path: string };

/** In the order of the document. */
export function allCalls({ paths }: OpenApi): readonly Call[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ ...one, method, path })),
  );
}

/** The calls of one area. */
export function callsOf(document: OpenApi, tag: string): readonly Call[] {
  return allCalls(document).filter(({ tags }) => tags.includes(tag));
}

/** What a call has that not every call has. */
export function ownParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((one): one is Parameter => "in" in one);
}

export function ownHeaders({ headers }: Response): readonly (readonly [string, Header])[] {
  return Object.entries(headers).filter((entry): entry is [string, Header] => !isShared(entry[1]));
}

function isShared(part: Header | Reference): part is Reference {
  return "$ref" in part;
}

/** Who may call: the PSD2 role, and whether with a token and of which scope. */
export function accessOf({ security }: Operation) {
  const scopes = security.flatMap((one) => one["token"] ?? []);
  const optional = security.some((one) => !("token" in one));
  const token = scopes.length === 0 ? "none" : optional ? "optional" : "required";
  return { role: security[0]?.["certificate"]?.[0], token, scope: scopes[0] } as const;
}

/** Refusals by status with their codes, and the one answer that is none. */
export function answersOf({ responses }: Operation) {
  const all = Object.entries(responses);
  const granted = all.filter(([status]) => status < "300");
  const refused = all.flatMap(([status, { content }]) => {
    const codes = content?.["application/json"]?.schema.properties?.["tppMessages"]?.items;
    return status < "300" ? [] : [{ status, codes: codes?.properties?.["code"]?.enum ?? [] }];
  });
  return { granted, refused };
}

/** Schemas whose forms are single values, each with its meaning: a list of words. */
export function wordsOf(schema: JsonSchema): readonly JsonSchema[] {
  const forms = schema.anyOf ?? [];
  return forms.every((form) => form.const !== undefined) ? forms : [];
}

/** One field as a reader looks for it: by its whole name, such as `access.accounts[].iban`. */
export type Field = {
  readonly name: string;
  readonly type: string;
  /** The schema with a name of its own that says the rest. */
  readonly named?: string;
  readonly required: boolean;
  readonly rules: readonly string[];
  readonly description?: string;
};

/** The fields of an object and of what lies in it, top to bottom; those of named schemas are theirs. */
export function fieldsOf(schema: JsonSchema): readonly Field[] {
  return within("", schema);
}

/** Forms that stand side by side; a schema of one form is the only one of them. */
export function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split("/").at(-1);
}

function within(prefix: string, schema: JsonSchema): readonly Field[] {
  if (schema.items !== undefined) return entries(`${prefix}[]`, schema.items);
  const forms = formsOf(schema);
  if (forms.length > 1) return sideBySide(prefix, forms);
  const { properties = {}, required = [], additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const whole = prefix === "" ? name : `${prefix}.${name}`;
    return [field(whole, one, required.includes(name)), ...within(whole, one)];
  });
  const others =
    typeof additionalProperties === "object"
      ? [field(prefix === "" ? "*" : `${prefix}.*`, additionalProperties, false)]
      : [];
  return [...own, ...others];
}

/** What is said of an entry is worth a line of its own only where it is more than its type. */
function entries(name: string, items: JsonSchema): readonly Field[] {
  const entry = field(name, items, false);
  const plain =
    entry.named === undefined && !("properties" in items) && formsOf(items).length === 1;
  const says = entry.rules.length > 0 || entry.description !== undefined;
  return [...(plain && says ? [entry] : []), ...within(name, items)];
}

/** Several forms of objects, each with a line that introduces it; forms of plain values have none. */
function sideBySide(prefix: string, forms: readonly JsonSchema[]): readonly Field[] {
  const objects = forms.filter(({ type }) => type === "object");
  return objects.flatMap((form, at) => {
    const introduced = {
      ...field(prefix, form, false),
      type: `form ${at + 1} of ${objects.length}`,
    };
    return [introduced, ...within(prefix, form)];
  });
}

function field(name: string, schema: JsonSchema, required: boolean): Field {
  const named = nameOf(schema) ?? nameOf(schema.items ?? {});
  const { description } = schema;
  return {
    name,
    type: typeOf(schema),
    ...(named !== undefined && { named }),
    required,
    rules: rulesOf(schema),
    ...(description !== undefined && { description }),
  };
}

/** `list of Balance`, `text (date)`, `text (ipv4) or text (ipv6)`. */
export function typeOf(schema: JsonSchema): string {
  const named = nameOf(schema);
  if (named !== undefined) return named;
  const forms = formsOf(schema);
  if (forms.length > 1) return [...new Set(forms.map(typeOf))].join(" or ");
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const { type = "anything", format } = schema;
  const word = type === "string" ? "text" : String(type);
  return format === undefined ? word : `${word} (${format})`;
}

/** What a value has to be besides its type, in words. */
export function rulesOf(schema: JsonSchema): readonly string[] {
  const { pattern, format } = schema;
  return [
    ...rule(schema.const, (value) => `always ${value}`),
    ...rule(schema.enum, (values) => `one of ${values.join(", ")}`),
    ...rule(schema.minimum, (least) => `at least ${least}`),
    ...rule(schema.maximum, (most) => `at most ${most}`),
    ...rule(schema.minLength, (least) => `at least ${least} characters`),
    ...rule(schema.maxLength, (most) => `at most ${most} characters`),
    ...rule(schema.minItems, (least) => `at least ${least} entries`),
    ...rule(schema.maxItems, (most) => `at most ${most} entries`),
    // Formats are known by their names, and long patterns by the description: they are for machines.
    ...rule(isRead(format, pattern) ? pattern : undefined, (text) => `matches ${text}`),
    ...rule(schema.default, (value) => `${value} when it is left out`),
  ];
}

const PATTERN_CHARACTERS_MAX = 60;

function isRead(format: string | undefined, pattern = ""): boolean {
  return format === undefined && pattern.length <= PATTERN_CHARACTERS_MAX;
}

function rule<Value>(value: Value | undefined, inWords: (value: Value) => string) {
  return value === undefined ? [] : [inWords(value)];
}
