import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { bankProfileSchema } from "./bank-profile-schema";
import { ROOT, sourceFiles } from "./source-files";

const file = join(ROOT, "docs/bank-profile.schema.json");

it("docs/bank-profile.schema.json is made from the schema that a bank's file is checked with", () => {
  expect(readFileSync(file, "utf8")).toBe(bankProfileSchema());
});

it.each(["drawbridge-bank", "banca-zori"])(
  "by it an editor finds nothing wrong with %s",
  (name) => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(bankProfileSchema()));
    const profile = parse(readFileSync(join(ROOT, `examples/profiles/${name}/bank.yaml`), "utf8"));
    validate(profile);
    expect(validate.errors).toBeNull();
  },
);

it("what a profile may say is read somewhere: no key is there for nothing", () => {
  const code = sourceFiles(/\.tsx?$/)
    .filter(({ path }) => /^(app|components|lib|cli)\//.test(path))
    .filter(({ path }) => !/\.test\.|testing|^lib\/profile\/schema/.test(path))
    // The type of a profile is declared in lib/domain/bank-profile, beside functions that read one.
    .map(({ text }) => text.replaceAll(/^ +readonly .*$/gm, ""))
    .join("\n");
  const keys = [...new Set(keysOf(JSON.parse(bankProfileSchema())))];
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(code))).toEqual([]);
});

type Part = { readonly properties?: Readonly<Record<string, Part>> };

function keysOf({ properties = {} }: Part): readonly string[] {
  return Object.entries(properties).flatMap(([key, part]) => [key, ...keysOf(part)]);
}
