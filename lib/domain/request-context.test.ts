import { describe, expect, it } from "vitest";
import { allowanceOf } from "./account-access";
import { checkNotBlocked, checkRequestContext, rateLimitHeaders } from "./request-context";
import { inMemoryBank } from "./testing/in-memory-bank";
import { later, now, tpp } from "./testing/samples";
import type { BlockOrder } from "./tpp";

describe("the stop list", () => {
  const bankWith = (given?: Partial<BlockOrder>) => {
    const { bank, ports } = inMemoryBank();
    if (given !== undefined) bank.blocked.set(tpp.id, { tppId: tpp.id, blockedAt: now, ...given });
    return ports;
  };

  it("C6: names who is blocked and until when, and not why", async () => {
    const why = { reason: "suspected of fraud" };
    await expect(checkNotBlocked(bankWith(why), tpp.id, now)).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CERTIFICATE_BLOCKED", text: "PSDRO-NBR-1234567 is blocked by the bank" }],
    });
    const until = new Date("2026-12-31T00:00:00Z");
    await expect(checkNotBlocked(bankWith({ ...why, until }), tpp.id, now)).rejects.toMatchObject({
      faults: [
        {
          text: "PSDRO-NBR-1234567 is blocked by the bank until 2026-12-31T00:00:00.000Z",
        },
      ],
    });
  });

  it("C6: lets pass who was never blocked, and whose block is over", async () => {
    await expect(checkNotBlocked(bankWith(), tpp.id, now)).resolves.toBeUndefined();
    const over = bankWith({ blockedAt: later(-5), until: now });
    await expect(checkNotBlocked(over, tpp.id, now)).resolves.toBeUndefined();
  });

  it("C6: does the same for a TPP that was looked up when its request arrived", () => {
    const order = { tppId: tpp.id, blockedAt: now, reason: "suspected of fraud" };
    expect(() => checkRequestContext({ now, bankNow: now, tppId: tpp.id }, tpp.id)).not.toThrow();
    expect(() => checkRequestContext({ now, bankNow: now, tppId: tpp.id, order }, tpp.id)).toThrow(
      expect.objectContaining({
        status: 401,
        faults: [
          expect.objectContaining({
            code: "CERTIFICATE_BLOCKED",
            text: "PSDRO-NBR-1234567 is blocked by the bank",
          }),
        ],
      }),
    );
  });

  it("C6: lets nobody pass whom nobody has looked up", () => {
    const other = "PSDRO-NBR-7" as typeof tpp.id;
    for (const tppId of [undefined, other]) {
      expect(() => checkRequestContext({ now, bankNow: now, tppId }, tpp.id)).toThrow(
        "another TPP was looked up",
      );
    }
  });
});

describe("the rest of the budget", () => {
  it("is sent in RateLimit headers, with the seconds until one more access is left", () => {
    const allowance = allowanceOf({ left: 3, resetAt: later(24 * 60) }, 4, { now });
    expect(rateLimitHeaders(allowance)).toEqual({
      "ratelimit-limit": "4",
      "ratelimit-remaining": "3",
      "ratelimit-reset": "86400",
    });
  });

  it("never promises an access too early, nor one in the past", () => {
    const resetAfter = (milliseconds: number) =>
      allowanceOf({ left: 0, resetAt: new Date(now.getTime() + milliseconds) }, 4, { now });
    expect(resetAfter(1).resetSeconds).toBe(1);
    expect(resetAfter(1_001).resetSeconds).toBe(2);
    expect(resetAfter(-1).resetSeconds).toBe(0);
  });

  it("is not sent for what is not counted", () => {
    expect(rateLimitHeaders(undefined)).toEqual({});
  });
});
