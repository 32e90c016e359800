import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { openApi } from "./openapi";
import { operations } from "./routes";

const document = openApi(operations, { name: "Example Bank", issuer: undefined });

it("the description of the bank API is valid OpenAPI 3.1, and has each operation once", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  const ids = Object.values(document.paths).flatMap((item) =>
    [item.get, item.post, item.delete].flatMap((one) => one?.operationId ?? []),
  );
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
});

it("each path declares its parameters, and has a limit and a cursor where it answers with a list", () => {
  for (const [path, item] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of [item.get, item.post]) {
      if (operation === undefined) continue;
      const parameters = operation.parameters.flatMap((one) => ("name" in one ? [one] : []));
      const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
      expect([path, inPath]).toEqual([path, named]);
      const answer = JSON.stringify(operation.responses["200"]);
      const schema = /"#\/components\/schemas\/(\w+)"/.exec(answer)?.[1];
      const isList = /"next"/.test(
        answer + JSON.stringify(document.components.schemas[schema ?? "none"]),
      );
      const paged = parameters.filter(({ name }) => ["limit", "cursor"].includes(name));
      expect([path, paged.length]).toEqual([path, isList ? 2 : 0]);
    }
  }
});
