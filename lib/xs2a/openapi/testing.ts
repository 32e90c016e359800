import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { routes } from "@/app/(xs2a)/routes";
import { aspspProfile } from "@/lib/testing-profile";
import { INVISIBLE_CHARACTERS } from "../wire/common";
import { openApi } from "./document";
import type { JsonSchema } from "./open-api";
import { allCalls, type Call } from "./reading";

export const bank = {
  profile: aspspProfile,
  sandbox: true,
  notifies: true,
  xs2aUrl: "https://bank.example",
  metadata: "https://bank.example/.well-known/oauth-authorization-server",
};

export const document = openApi(routes, bank);

export const operations = allCalls(document);

/** Where a schema stands in the document, as a pointer. */
type Placed = { readonly at: string; readonly schema: JsonSchema };

const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const SINGLE = ["items", "additionalProperties", "propertyNames", "not"] as const;

/** A schema and all that are in it. */
function schemasIn(schema: JsonSchema, at: string): readonly Placed[] {
  const properties = Object.entries(schema.properties ?? {});
  const lists = LISTS.flatMap((name) => (schema[name] ?? []).map((one) => [name, one] as const));
  const single = SINGLE.map((name) => [name, schema[name]] as const);
  const inner = [...properties, ...lists, ...single].flatMap(([name, one]) =>
    typeof one === "object" ? schemasIn(one, `${at}/${name}`) : [],
  );
  return [{ at, schema }, ...inner];
}

/** Every schema of the document. */
export function allSchemas(): readonly Placed[] {
  const { schemas, parameters, headers } = document.components;
  const shared = [
    ...Object.entries(schemas),
    ...Object.entries({ ...parameters, ...headers }).map(([name, { schema }]) => [name, schema]),
  ] as const;
  return [
    ...shared.flatMap(([name, schema]) => schemasIn(schema as JsonSchema, String(name))),
    ...operations.flatMap((operation) => schemasOf(operation)),
  ];
}

function schemasOf({ operationId, parameters, requestBody, responses }: Call) {
  const answers = Object.values(responses);
  const contents = [requestBody, ...answers].flatMap((part) => Object.values(part?.content ?? {}));
  const carried = [...parameters, ...answers.flatMap(({ headers }) => Object.values(headers))];
  const schemas = [
    ...contents.map(({ schema }) => schema),
    ...carried.flatMap((part) => ("schema" in part ? [part.schema] : [])),
  ];
  return schemas.flatMap((schema) => schemasIn(schema, operationId));
}

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, "bank");

/** Whether the description takes a value in the place of a schema of its own. */
export function fits(schema: JsonSchema): (value: unknown) => boolean {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"bank#/components');
  const check = ajv.compile(JSON.parse(text));
  return (value) => check(value) === true;
}

/** Values that the description takes. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return drawn(schema).filter(fits(schema));
}

/** The check digits and the length of its country, which no schema can say. */
const IBANS = ["RO49AAAA1B31007593840000", "DE89370400440532013000", "gb29nwbk60161331926819"];

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  date: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
};

/** What has the structure of a schema; rules over several members are for the caller, who filters. */
function drawn(schema: JsonSchema): fc.Arbitrary<unknown> {
  const forms = schema.anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined) return drawn(named(schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (forms !== undefined) return fc.oneof(...forms.map(drawn));
  if (schema.type === "object") return object(schema);
  if (schema.type === "array") {
    const { items = {}, minItems: minLength = 0, maxItems = 4 } = schema;
    return fc.array(drawn(items), { minLength, maxLength: Math.min(maxItems, 4) });
  }
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "integer") {
    const { minimum: min = -9, maximum: max = 9 } = schema;
    return fc.integer({ min, max });
  }
  return schema.type === "string" ? text(schema) : fc.jsonValue({ maxDepth: 1 });
}

function named($ref: string): JsonSchema {
  const schema = document.components.schemas[String($ref.split("/").at(-1))];
  if (schema === undefined) throw new Error(`there is no ${$ref}`);
  return schema;
}

function object({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<object> {
  const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, drawn(one)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function text({ pattern, format, minLength, maxLength = 300 }: JsonSchema): fc.Arbitrary<string> {
  const known = formats[format ?? "none"];
  if (known !== undefined) return known;
  if (pattern?.includes("[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{")) return fc.constantFrom(...IBANS);
  const lengths = { minLength: minLength ?? 0, maxLength };
  if (pattern === undefined) return fc.string({ ...lengths, unit: "binary" });
  if (pattern.includes(INVISIBLE_CHARACTERS)) return fc.string({ ...lengths, unit: seen });
  // What is asserted about the whole is left to the filter.
  return fc.stringMatching(new RegExp(pattern.replace(/\(\?[=!][^)]*\)/g, ""), "u"));
}

const unseen = new RegExp(`[${INVISIBLE_CHARACTERS}\\ud800-\\udfff]`, "u");
const seen = fc.oneof(
  fc.constantFrom("a", " ", "\u00a0", "ț", "漢", "😀"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((one) => !unseen.test(one)),
);
