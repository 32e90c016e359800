import { afterEach, expect, it, vi } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import type { Arrival } from "@/lib/domain/tpp/arrival";
import { openExchange } from "./exchange";
import { own, ports, refusal } from "./testing/echo";
import { now, signedRequest } from "./testing/tpp";

afterEach(() => vi.restoreAllMocks());

const arrivals = (...seen: readonly Partial<Arrival>[]) => {
  let looks = -1;
  return {
    look: vi.fn(async (named: { readonly tppId?: Arrival["tppId"] }): Promise<Arrival> => {
      looks += 1;
      return { now, tppId: named.tppId, ...seen[Math.min(looks, seen.length - 1)] };
    }),
  };
};
/** An issuer that takes so many milliseconds to say that its certificate counts. */
const slow = (milliseconds: number) => {
  const clock = vi.spyOn(performance, "now");
  return {
    check: async () => {
      clock.mockReturnValue(openExchange(signedRequest(own)).openedAtMs + milliseconds);
      return "counts" as const;
    },
  };
};
const order = { tppId: "PSDRO-NBR-1234567" as TppId, blockedAt: now };

it("O13, C6: what changed while an issuer was asked holds for the request that waited", async () => {
  const looked = arrivals({}, { order });
  const waiting = { ...ports, arrivals: looked, revocation: slow(1_000) };
  expect(await refusal(signedRequest(own), waiting)).toMatchObject({ code: "CERTIFICATE_BLOCKED" });
  expect(looked.look).toHaveBeenCalledTimes(2);
});

it("a request that was not held up is looked up once", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const looked = arrivals({}, { order });
  await refusal(signedRequest(own, { body: '{"word":1}' }), { ...ports, arrivals: looked });
  expect(looked.look).toHaveBeenCalledTimes(1);
});
