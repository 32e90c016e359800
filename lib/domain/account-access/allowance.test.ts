import { describe, expect, it } from "vitest";
import { later, now } from "../testing/samples";
import { allowanceOf, rateLimitHeaders } from "./allowance";

describe("the rest of the budget", () => {
  it("is told in RateLimit headers, with the seconds until one more access is left", () => {
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

  it("is told of nothing that is not counted", () => {
    expect(rateLimitHeaders(undefined)).toEqual({});
  });
});
