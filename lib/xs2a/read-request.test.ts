import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "./read-request";

const bounds = { jsonDepthMax: 20, jsonMembersMax: 500 };
const read = (text: string | Uint8Array) =>
  readJson(typeof text === "string" ? Buffer.from(text) : text, bounds);
const refused = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};
const formatError = { status: 400, faults: [{ code: "FORMAT_ERROR" }] };

describe("a JSON body", () => {
  it.each([
    ['X3: {"amount":"1","amount":"1000"}', '{"amount":"1","amount":"1000"}'],
    ["X3: a name given twice, once escaped", '{"amount":"1","\\u0061mount":"2"}'],
    ["X3: a name given twice deep inside", '[{"a":[{"b":1,"c":{"d":1,"d":2}}]}]'],
    ["X3: a name with a quote given twice", '{"a\\"":1,"a\\"":2}'],
    [
      "X3: a name given twice after a string that ends with a backslash",
      '{"x":"\\\\","y":1,"y":2}',
    ],
    ["X3: 21 levels", "[".repeat(21) + "]".repeat(21)],
    ["X3: 200,000 brackets", "[".repeat(200_000)],
    ["X3: 501 names", `{${Array.from({ length: 501 }, (_, nth) => `"name${nth}":1`).join(",")}}`],
    ["X3: 502 elements", `[${Array(502).fill("1").join(",")}]`],
    ["not JSON", "{word:1}"],
    ["a string that does not end", '{"word":"x'],
    ["a byte order mark", "\uFEFF{}"],
  ])("%s is refused", (_, text) => {
    expect(refused(() => read(text))).toMatchObject(formatError);
  });

  it("of 500 names is read, with as many elements, and when fifty accounts stand in each of the lists that a consent has", () => {
    const names = Array.from({ length: 500 }, (_, nth) => `"name${nth}":1`);
    expect(read(`{${names.join(",")}}`)).toHaveProperty("name499");
    const elements = `[${Array(500).fill("1").join(",")}]`;
    expect(read(`{${names.slice(1).join(",")},"elements":${elements}}`)).toBeDefined();
    const list = `[${Array(50).fill('{"iban":"RO49AAAA1B31007593840000","currency":"RON"}').join(",")}]`;
    const lists = ["accounts", "balances", "transactions", "ownerName"];
    const access = lists.map((name) => `"${name}":${list}`);
    expect(read(`{"access":{${access.join(",")}}}`)).toHaveProperty("access.ownerName.49");
  });

  it("that is not UTF-8 is refused", () => {
    expect(refused(() => read(Buffer.from([0x22, 0xff, 0x22])))).toMatchObject(formatError);
  });

  it("X4: cannot set a prototype", () => {
    expect(Object.getPrototypeOf(read('{"__proto__":{"admin":true}}'))).toBe(Object.prototype);
  });

  it("with the same name in different objects, and brackets in strings, is read", () => {
    const text = '{"a":{"x":"]]]]{{{\\"\\\\"},"b":{"x":[{"x":1},{"x":2}]}}';
    expect(read(text)).toEqual(JSON.parse(text));
    const quoted = `{"x":"\\"${"[".repeat(21)}","y\\"":1,"y":2}`;
    expect(read(quoted)).toEqual(JSON.parse(quoted));
    expect(read(`${"[".repeat(20)}${"]".repeat(20)}`)).toBeDefined();
  });

  it("is read as JSON.parse reads it, or refused", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 10 }), (text) => {
        const error = refused(() => read(text));
        if (error === undefined) expect(read(text)).toEqual(JSON.parse(text));
        else expect(error).toMatchObject(formatError);
      }),
    );
  });

  it("of no bytes is undefined", () => expect(read("")).toBeUndefined());
});
