import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { coreBankOpenApi } from "./core-bank-openapi";

const file = join(import.meta.dirname, "../docs/core-bank.openapi.yaml");

it("docs/core-bank.openapi.yaml is a valid OpenAPI document, made from the schemas of the contract", async () => {
  const text = await readFile(file, "utf8");
  expect(text).toBe(coreBankOpenApi());
  expect(await new Validator().validate(text)).toMatchObject({ valid: true });
});
