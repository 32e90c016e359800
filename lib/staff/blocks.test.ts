import { expect, it } from "vitest";
import { tpp } from "@/lib/domain/testing/samples";
import { inNameOf, type TppBlockRequest } from "@/lib/domain/tpp-blocks";
import { blockView } from "./blocks";
import type { StaffVisit } from "./visit";

const now = new Date("2026-11-20T10:00:00Z");
const request: TppBlockRequest = {
  ...{ id: "3f7c2b7e-5d53-4f2e-9d59-0a6a2f6f3c11", action: "block", tppId: tpp.id },
  ...{ basis: "unauthorised-access", reason: "read accounts", requestedBy: "maria" },
  requestedAt: now,
};

it("E1: a page of a request offers an operator the forms that would decide it, and no others", async () => {
  const offered = async (id: string, given: Partial<TppBlockRequest> = {}) => {
    const services = {
      tppBlocks: { find: async () => ({ ...request, ...given }) },
      tppRegister: { find: async () => tpp },
      config: { SESSION_SECRET: "a secret of at least thirty-two characters" },
    };
    const visit = { services, operator: { id }, sessionId: "s", language: "en", now };
    const view = await blockView(visit as unknown as StaffVisit, request.id);
    return [view?.isOwn, ...(view?.forms.map(({ verb }) => verb) ?? [])];
  };
  expect(await offered("maria")).toEqual([true, "withdraw"]);
  expect(await offered("ion")).toEqual([false, "approve", "refuse"]);
  expect(await offered("ion", { until: now })).toEqual([false, "refuse"]);
  const requestedBy = `${inNameOf("maria")}portal`;
  expect(await offered("maria", { requestedBy })).toEqual([true]);
  expect(await offered("ion", { requestedBy })).toEqual([false, "approve", "refuse"]);
});
