import { describe, expect, it } from "vitest";
import { z } from "zod";
import { shownAs } from "../wire/shown-as";
import { jsonSchemaOf, type Named } from "./json-schema";

const shown = (form: z.ZodType, io: "input" | "output" = "input", named: Named = new Map()) =>
  jsonSchemaOf(form, io, named);

describe("a schema of the traffic as JSON Schema", () => {
  it("shows a request before it is read and an answer after it is written", () => {
    const form = z.object({ day: z.string().transform((text) => text.length) });
    expect(shown(form)).toMatchObject({ properties: { day: { type: "string" } } });
    expect(() => shown(form, "output")).toThrow(/cannot be represented/);
  });

  it.each([
    ["a rule in code", z.custom((value) => value === 1)],
    ["a number without bounds", z.bigint()],
    ["a value that JSON does not know", z.undefined()],
  ])("refuses %s, so that nothing is left open in silence", (_, form) => {
    expect(() => shown(z.object({ form }))).toThrow(/cannot be represented/);
  });

  it("shows what stands in for a form, also after something was added to it", () => {
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

  it("gives a schema with a name its own place, once", () => {
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
