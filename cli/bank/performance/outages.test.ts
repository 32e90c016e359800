import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gapsBetween, noteSuccess, type Outage, outagesIn } from "./outages";

const END = 1_000_000;

function outagesOf(failed: readonly number[], answered: readonly number[]): readonly Outage[] {
  const gaps = gapsBetween(failed);
  for (const cameAt of answered) noteSuccess(gaps, { cameAt, overAt: cameAt });
  return outagesIn(gaps, END);
}

describe("EBA/GL/2018/07 2.4: the interface is down", () => {
  it("when five consecutive requests have no reply within 30 seconds, from the first of them on", () => {
    expect(outagesOf([5_000, 1_000, 2_000, 3_000, 4_000], [500, 9_000, 9_500])).toEqual([
      { from: 1_000, until: 9_000 },
    ]);
  });

  it("not when four have none", () => {
    expect(outagesOf([1_000, 2_000, 3_000, 4_000], [500, 9_000])).toEqual([]);
  });

  it("not when there is a successful request between those five", () => {
    expect(outagesOf([1_000, 2_000, 3_000, 4_000, 5_000], [2_500])).toEqual([]);
  });

  it("not when the five take more than 30 seconds altogether", () => {
    expect(outagesOf([0, 10_000, 20_000, 30_000, 30_001], [])).toEqual([]);
    expect(outagesOf([1, 10_000, 20_000, 30_000, 30_001], [])).toEqual([{ from: 1, until: END }]);
  });

  it("from the first of the five, where others have failed long before", () => {
    const failed = [0, 100_000, 100_001, 100_002, 100_003, 100_004, 200_000];
    expect(outagesOf(failed, [300_000])).toEqual([{ from: 100_000, until: 300_000 }]);
  });

  it("until the next request has been granted, and not when it comes", () => {
    const gaps = gapsBetween([1, 2, 3, 4, 5]);
    noteSuccess(gaps, { cameAt: 6, overAt: 900 });
    noteSuccess(gaps, { cameAt: 7, overAt: 800 });
    expect(outagesIn(gaps, END)).toEqual([{ from: 1, until: 800 }]);
  });

  it("until where the logs end, when nothing was answered any more", () => {
    expect(outagesOf([1, 2, 3, 4, 5], [])).toEqual([{ from: 1, until: END }]);
  });
});

/** The rule word for word: each request is looked at by itself. */
function wordForWord(requests: readonly { readonly at: number; readonly failed: boolean }[]) {
  const ordered = requests.toSorted((a, b) => a.at - b.at);
  const outages: Outage[] = [];
  for (let n = 0; n < ordered.length; n += 1) {
    const five = ordered.slice(n, n + 5);
    const [first, last] = [five[0], five[4]];
    if (first === undefined || last === undefined || five.some(({ failed }) => !failed)) continue;
    if (last.at - first.at > 30_000) continue;
    const next = ordered.findIndex(({ failed }, later) => later > n && !failed);
    outages.push({ from: first.at, until: ordered[next]?.at ?? END });
    if (next < 0) break;
    n = next;
  }
  return outages;
}

it("is what the rule says word for word, for whatever was asked and in whatever order it was written down", () => {
  const request = fc.record({ at: fc.nat(300_000), failed: fc.boolean() });
  const requests = fc.uniqueArray(request, { selector: ({ at }) => at, maxLength: 60 });
  fc.assert(
    fc.property(requests, (asked) => {
      const times = (failed: boolean) =>
        asked.filter((one) => one.failed === failed).map(({ at }) => at);
      expect(outagesOf(times(true), times(false))).toEqual(wordForWord(asked));
    }),
    { numRuns: 2_000 },
  );
});
