import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type FormByPath, replyOf, tokenRule } from "../declaration";
import { endpoint, resource } from "../endpoint";
import { ports } from "../testing/requests";
import { certificatesOf, signedRequest } from "../testing/tpp";
import { shownAs } from "../wire/common";
import { openApi } from "./document";
import { jsonSchemaOf, type Named } from "./operation";
import { bank } from "./testing";

describe("an operation, from its declaration", () => {
  const byProduct: FormByPath<{ readonly product: "slow" | "fast" }, unknown> = {
    forms: () => ({
      slow: z.strictObject({ day: z.string() }),
      fast: z.strictObject({ hour: z.string() }),
    }),
    nameOf: ({ product }) => product,
  };

  /** An endpoint with everything that those for account data do not have. */
  const pay = endpoint({
    operationId: "pay",
    summary: "Pay",
    role: "PSP_PI",
    token: tokenRule(
      { bearer: "optional", scope: "PIS:{id}", refuses: [{ 401: ["TOKEN_INVALID"] }] },
      async () => undefined,
    ),
    headers: z.object({}),
    path: z.object({ product: z.enum(["slow", "fast"]).describe("The product.") }),
    body: byProduct,
    refuses: { 404: ["PRODUCT_UNKNOWN"] },
    handle: async ({ body }) => body,
    reply: replyOf(
      { status: 200, description: "Paid.", body: z.record(z.string(), z.string()) },
      (value: unknown) => ({ value }),
    ),
  });
  const never = endpoint({
    operationId: "stop",
    summary: "Stop",
    role: "PSP_PI",
    token: tokenRule({ bearer: "none" }, async () => undefined),
    headers: z.object({}),
    path: z.object({ product: z.enum(["slow", "fast"]).describe("The product.") }),
    refuses: { 405: ["CANCELLATION_INVALID"] },
    handle: async () => undefined,
    reply: Object.assign(() => ({ status: 204 }) as const, { answers: undefined }),
  });

  const described = openApi({ "/{product}": resource({ POST: pay, DELETE: never }) }, bank);
  const operation = described.paths["/{product}"]?.post;

  it("has any of the bodies that the path can decide on, each by its name", () => {
    const anyOf = operation?.requestBody?.content["application/json"]?.schema.anyOf ?? [];
    expect(anyOf.map(({ title, required }) => [title, required])).toEqual([
      ["slow", ["day"]],
      ["fast", ["hour"]],
    ]);
  });

  it("is run with the one body that its path has decided on", async () => {
    const own = await certificatesOf("PSDRO-NBR-1234567", ["PSP_PI"]);
    const run = async (product: string) => {
      const request = signedRequest(own, { body: '{"day":"1"}' });
      return (await pay(request, { product }, ports)).status;
    };
    expect([await run("slow"), await run("fast")]).toEqual([200, 400]);
  });

  it("names the role, and the token's scope in the second of the two forms of the call", () => {
    expect(operation?.security).toEqual([
      { certificate: ["PSP_PI"], signature: [] },
      { certificate: ["PSP_PI"], signature: [], token: ["PIS:{id}"] },
    ]);
    expect(described.tags.map(({ name }) => name)).toEqual(["Payment initiation"]);
  });

  it("can be refused by the pipeline, its token and its use case", () => {
    const refused = (status: string) => operation?.responses[status]?.description;
    expect(refused("401")).toMatch(/CERTIFICATE_MISSING.*, TOKEN_INVALID\.$/);
    expect(refused("404")).toBe("Not there: PRODUCT_UNKNOWN.");
    expect(refused("415")).toContain("UNSUPPORTED_MEDIA_TYPE");
  });

  it("that is always refused has its refusals and no other answer", () => {
    const { delete: stop } = described.paths["/{product}"] ?? {};
    expect(Object.keys(stop?.responses ?? {}).filter((status) => status < "300")).toEqual([]);
    const refused = stop?.responses["405"];
    expect(refused?.description).toBe("Not offered: CANCELLATION_INVALID.");
    expect(refused?.headers).toMatchObject({ Allow: { required: true } });
  });
});

describe("a schema of the traffic as JSON Schema", () => {
  const shown = (form: z.ZodType, io: "input" | "output" = "input", named: Named = new Map()) =>
    jsonSchemaOf(form, io, named);

  it("shows a request before it is read and an answer after it is written", () => {
    const form = z.object({ day: z.string().transform((text) => text.length) });
    expect(shown(form)).toMatchObject({ properties: { day: { type: "string" } } });
    expect(() => shown(form, "output")).toThrow(/cannot be represented/);
  });

  it.each([
    ["a rule in code", z.custom((value) => value === 1)],
    ["a number without bounds", z.bigint()],
    ["a value that JSON does not know", z.undefined()],
  ])("refuses %s, so that no field is left undescribed", (_, form) => {
    expect(() => shown(z.object({ form }))).toThrow(/cannot be represented/);
  });

  it("shows the declared replacement schema, also after a form was extended", () => {
    const code = shownAs(
      z.unknown().transform((sent) => [sent]),
      z.object({ a: z.string() }),
    );
    for (const form of [code, code.optional(), code.refine(() => true).describe("Said.")]) {
      expect(shown(z.object({ form }))).toMatchObject({
        properties: { form: { type: "object", properties: { a: { type: "string" } } } },
      });
    }
  });

  it("leaves out members that are not offered, and the bounds of a double", () => {
    const form = z.strictObject({ a: z.int(), b: z.never().exactOptional() });
    expect(shown(form)).toMatchObject({ properties: { a: { type: "integer" } } });
    expect(JSON.stringify(shown(form))).not.toMatch(/"b"|imum/);
  });

  it("gives a named schema one component", () => {
    const money = z.strictObject({ amount: z.string() }).meta({ id: "Money" });
    const named: Named = new Map();
    const form = shown(z.object({ fee: money, sum: money.optional() }), "input", named);
    const $ref = "#/components/schemas/Money";
    expect(form.properties).toEqual({ fee: { $ref }, sum: { $ref } });
    expect([...named.keys()]).toEqual(["Money"]);
    const other = z.string().meta({ id: "Money" });
    expect(() => shown(z.object({ other }), "input", named)).toThrow(/two schemas/);
  });
});
