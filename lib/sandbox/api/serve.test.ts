import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { openApi } from "./serve";

it("the description of the sandbox API is valid OpenAPI 3.1, and each path declares its parameters", async () => {
  const document = openApi();
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  for (const [path, methods] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      const declared = parameters.flatMap((one) => ("name" in one ? [one.name] : []));
      expect([path, declared]).toEqual([path, named]);
    }
  }
});
