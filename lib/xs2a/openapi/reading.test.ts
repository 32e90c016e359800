import { describe, expect, it } from "vitest";
import type { JsonSchema } from "./open-api";
import { type Field, fieldsOf, rulesOf, typeOf } from "./reading";

const text: JsonSchema = { type: "string" };
const money: JsonSchema = { $ref: "#/components/schemas/Money" };
const inShort = ({ name, type, required }: Field) => `${name}${required ? "!" : ""}: ${type}`;

describe("the fields of a body", () => {
  it("have full paths, down to named schemas", () => {
    const schema: JsonSchema = {
      type: "object",
      required: ["list"],
      properties: {
        list: {
          type: "array",
          items: { type: "object", properties: { sum: money }, required: ["sum"] },
        },
        fees: { type: "array", items: money },
        more: { type: "object", properties: { day: { ...text, format: "date" } } },
      },
    };
    const fields = fieldsOf(schema);
    expect(fields.map(inShort)).toEqual([
      "list!: list of object",
      "list[].sum!: Money",
      "fees: list of Money",
      "more: object",
      "more.day: text (date)",
    ]);
    expect(fields.filter(({ named }) => named === "Money").map(({ name }) => name)).toEqual([
      "list[].sum",
      "fees",
    ]);
  });

  it("show the descriptions of entries and of additional properties", () => {
    const others = { description: "As sent." };
    const properties = {
      words: { type: "array", items: { ...text, maxLength: 4 } },
      rest: { type: "object", additionalProperties: others },
    };
    expect(fieldsOf({ type: "object", properties })).toMatchObject([
      { name: "words", rules: [] },
      { name: "words[]", rules: ["at most 4 characters"] },
      { name: "rest" },
      { name: "rest.*", type: "anything", description: "As sent." },
    ]);
  });

  it("list each of several alternatives", () => {
    const form = (name: string): JsonSchema => ({ type: "object", properties: { [name]: text } });
    const properties = { one: { anyOf: [form("a"), form("b")] }, ip: { anyOf: [text, text] } };
    expect(fieldsOf({ type: "object", properties }).map(inShort)).toEqual([
      "one: object",
      "one: form 1 of 2",
      "one.a: text",
      "one: form 2 of 2",
      "one.b: text",
      "ip: text",
    ]);
  });
});

describe("the rule of a field", () => {
  it("is plain text", () => {
    expect(rulesOf({ enum: ["a", "b"], default: "a" })).toEqual([
      "one of a, b",
      "a when it is left out",
    ]);
    expect(rulesOf({ minimum: 1, maximum: 4 })).toEqual(["at least 1", "at most 4"]);
    expect(rulesOf({ minLength: 1, maxLength: 2, pattern: "^A$" })).toEqual([
      "at least 1 characters",
      "at most 2 characters",
      "matches ^A$",
    ]);
    expect(rulesOf({ minItems: 1, maxItems: 2 })).toEqual([
      "at least 1 entries",
      "at most 2 entries",
    ]);
    expect(rulesOf({ const: "WARNING" })).toEqual(["always WARNING"]);
  });

  it("is the format's name and not its pattern, where it has one", () => {
    const schema = { ...text, format: "uuid", pattern: "^[0-9a-f-]{36}$" };
    expect([typeOf(schema), rulesOf(schema)]).toEqual(["text (uuid)", []]);
  });
});
