import { expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { executePayments } from "./execute-payments";

const now = new Date("2026-11-20T10:00:00Z");

it.each<readonly [number, boolean]>([
  [0, false],
  [1, true],
  [20, true],
])("after %s steps there may be more to do at once: %s", async (steps, more) => {
  const asked: unknown[] = [];
  const paymentExecution = {
    advance: async (...given: readonly unknown[]) => {
      asked.push(given);
      return { steps };
    },
  };
  expect(await executePayments({ paymentExecution, profile: aspspProfile }, now)).toBe(more);
  expect(asked).toEqual([[now, 20]]);
});
