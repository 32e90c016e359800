import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { routes } from "@/app/(xs2a)/routes";
import { messageCodes, Rejection } from "@/lib/domain/errors";
import type { Declaration } from "../declaration";
import { parse, schemaOf } from "../parse";
import { problemDocument, problemSent, refusalSent, tppMessages } from "../refusals";
import { faults, IBAN, own, refusal, schemaContext, validConsent } from "../testing/requests";
import { signedRequest } from "../testing/tpp";
import type { JsonSchema } from "./open-api";
import { headersOfEveryCall, pathInStandard } from "./operation";
import type { Call } from "./reading";
import { document, fits as fitting, operations, valuesOf } from "./testing";

const consents = "/paths/~1open-banking~1v3.1~1aisp~1v1~1consents/post";
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, "bank");
const fits = ajv.getSchema(`bank#${consents}/requestBody/content/application~1json/schema`);

describe("the description of a request", () => {
  it("accepts what the bank accepts", () => {
    const bodies = [
      validConsent,
      { ...validConsent, access: { accounts: [{ iban: IBAN.toLowerCase(), currency: "RON" }] } },
      { ...validConsent, access: { allPsd2: "allAccountsWithOwnerName", restrictedTo: ["CACC"] } },
      {
        ...validConsent,
        access: { additionalInformation: { trustedBeneficiaries: [1, { a: [] }] } },
      },
    ];
    for (const body of bodies) expect(fits?.(body), JSON.stringify(fits?.errors)).toBe(true);
    expect(bodies.slice(0, 3).flatMap(faults)).toEqual([]);
  });

  it.each([
    ...Object.keys(validConsent).map((name) => ({ ...validConsent, [name]: undefined })),
    { ...validConsent, access: { accounts: [{ bban: "1" }] } },
    { ...validConsent, access: { accounts: Array(51).fill({ iban: IBAN }) } },
    { ...validConsent, access: { allPsd2: "some" } },
    { ...validConsent, access: "all" },
    { ...validConsent, frequencyPerDay: 5 },
    { ...validConsent, frequencyPerDay: 1.5 },
    { ...validConsent, validUntil: "2027-02-30" },
    { ...validConsent, recurringIndicator: "yes" },
    { ...validConsent, surprise: 1 },
    [],
    "text",
  ])("refuses nothing that the bank would accept: %j", (body) => {
    const sent: unknown = JSON.parse(JSON.stringify(body));
    expect(fits?.(sent)).toBe(false);
    expect(faults(sent)).not.toEqual([]);
  });

  it.each(headersOfEveryCall)("demands $name, as the pipeline does", async ({ name, required }) => {
    expect(required).toBe(true);
    const { status } = await refusal(signedRequest(own, { without: [name.toLowerCase()] }));
    expect([400, 401]).toContain(status);
  });
});

/** What depends on the day, on another part of the same request, or on more than a form. */
const BEYOND_A_SCHEMA = [
  /^a one-off consent is valid today only|^validUntil /,
  /^cardExpiryDate lies in the past/,
  /ownerName names an account that no other list names/,
  /^creditorAccount is the account that pays/,
  /^instructedAmount.amount has more digits after the dot than [A-Z]{3} has/,
  /^(?:bookingStatus|dateFrom) is missing/,
  /^dateFrom lies in the future/,
  /^dateTo is before dateFrom/,
  /^cursor is not a cursor of this bank/,
];

/** The faults that the bank finds in a part of a request, but for those that no schema can say. */
function statable(part: "body" | "header" | "query", form: z.ZodType, value: unknown) {
  try {
    const sent = part === "header" ? Object.entries(value as object) : value;
    parse(part, form, sent, schemaContext);
    return [];
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.faults
      .map(({ text }) => text)
      .filter((text) => !BEYOND_A_SCHEMA.some((one) => one.test(text)));
  }
}

type Form = { readonly name: string; readonly form: z.ZodType; readonly schema: JsonSchema };

function declarationOf({ path, method }: Call): Declaration {
  const route = Object.keys(routes).find((one) => pathInStandard(one) === path);
  const declaration = routes[String(route)]?.[method.toUpperCase() as "GET"].declaration;
  if (declaration === undefined) throw new Error(`${method} ${path} declares nothing`);
  return declaration;
}

const bodies = operations.flatMap((operation): readonly Form[] => {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return [];
  const { body } = declarationOf(operation);
  const { operationId: name } = operation;
  if (body instanceof z.ZodType || typeof body === "function") {
    return [{ name, form: schemaOf(body, schemaContext), schema }];
  }
  return Object.entries(body.forms(schemaContext)).map(([title, form]): Form => {
    const own = schema.anyOf?.find((one) => one.title === title);
    if (own === undefined) throw new Error(`there is no form ${title}`);
    return { name: `${name}, ${title}`, form, schema: own };
  });
});

const parameters = operations.flatMap((operation) => {
  const { headers, query } = declarationOf(operation);
  return (["header", "query"] as const).flatMap((part) => {
    const own = operation.parameters.flatMap((one) =>
      "in" in one && one.in === part ? [one] : [],
    );
    if (own.length === 0) return [];
    const form = schemaOf(part === "header" ? headers : query, schemaContext);
    const names = own.map(({ name, schema }) => {
      return [part === "header" ? name.toLowerCase() : name, schema];
    });
    const required = own.flatMap(({ name, required: is }) => (is ? [name] : []));
    const schema: JsonSchema = {
      type: "object",
      properties: Object.fromEntries(names),
      required: part === "header" ? required.map((name) => name.toLowerCase()) : required,
    };
    return [{ name: `${operation.operationId}, ${part}`, part, form, schema }];
  });
});

/** The same value with another one somewhere in it, or with one member less or more. */
function mutated(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== "object" || value === null) return other;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  if (name === undefined)
    return Array.isArray(value) ? [...value, other] : { ...value, extra: other };
  const rest = Math.floor(at / (names.length + 1));
  const inner: unknown = Reflect.get(value, name);
  const changed = rest % 3 === 0 ? undefined : mutated(inner, rest, other);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.assign(copy, { [name]: changed });
  return JSON.parse(JSON.stringify(copy));
}

describe("what the description accepts, the bank accepts, except rules that no schema can express", () => {
  it.each(bodies)("$name", ({ form, schema }) => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(statable("body", form, value)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it.each(parameters)("$name", ({ part, form, schema }) => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(statable(part, form, value)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("what the description refuses, the bank refuses", () => {
  it.each(bodies)("$name", ({ form, schema }) => {
    const described = fitting(schema);
    const others = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(valuesOf(schema), fc.nat(), others, (value, at, other) => {
        const sent = mutated(value, at, other);
        if (!described(sent)) expect([sent, faultsIn(form, sent)]).not.toEqual([sent, []]);
      }),
      { numRuns: 400 },
    );
  });

  const faultsIn = (form: z.ZodType, sent: unknown) => form.safeParse(sent).error?.issues ?? [];
});

describe("the description of a refusal", () => {
  it("has every refusal that can be written, in both forms", () => {
    const faulty = Object.keys(messageCodes).map((name) => {
      return { code: name as keyof typeof messageCodes, text: "x".repeat(900), path: "a[0].b" };
    });
    const [first, ...others] = faulty;
    if (first === undefined) throw new Error("there are no codes");
    const errors = "https://online.a-bank-with-a-long-name.example:8443/docs/errors";
    const written = { ...tppMessages(faulty, errors) };
    expect(refusalSent.parse(written)).toEqual(written);
    const problem = problemDocument(new Rejection(400, [first, ...others]), errors);
    expect(problemSent.parse(problem)).toEqual(problem);
  });
});
