import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { now } from "@/lib/domain/testing/samples";
import { addTime, type TppId } from "@/lib/domain/values";
import type { InSandbox } from "./declaration";
import { operations } from "./operations";
import { openApi, runOperation } from "./serve";

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

it("a reset counts for the day of the sandbox's clock, however far the TPP's own is ahead", async () => {
  const counted: Date[] = [];
  const services = {
    namespaces: {
      reset: async (_: TppId, bank: { readonly now: Date }) => {
        counted.push(bank.now);
        return { psus: 0, accounts: 0 };
      },
    },
    sandboxClock: { now: async () => now, setAhead: async () => true },
    profile: { request: {} },
  } as unknown as InSandbox;
  const tppId = "PSDRO-NBR-1234567" as string as TppId;
  const asked = { tppId, now: addTime(now, 1, "day"), segments: {}, bytes: new Uint8Array() };
  await runOperation(operations["/reset"].POST, asked, services);
  expect(counted).toEqual([now]);
});
