import { expect, it, vi } from "vitest";
import { performanceOf } from "./performance";
import * as lines from "./read-lines";

it("a log that is shorter when it is read again is refused, and one that is longer is not", async () => {
  const instant = Date.UTC(2026, 10, 21, 10);
  const failed = { service: "aisp", method: "GET", status: 503, tookMs: 0 } as const;
  const logged = { ...failed, cameAt: instant, overAt: instant };
  let read = 0;
  const reading = (first: number, second: number) =>
    vi.spyOn(lines, "readLines").mockImplementation(async function* () {
      read += 1;
      for (let left = read % 2 === 1 ? first : second; left > 0; left -= 1) yield logged;
    });
  reading(2, 1);
  await expect(performanceOf(["log"], "UTC")).rejects.toThrow("has become shorter");
  reading(2, 3);
  await expect(performanceOf(["log"], "UTC")).resolves.toMatchObject([{ requests: 2, errors: 1 }]);
});
