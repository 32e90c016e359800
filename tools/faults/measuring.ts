import { setTimeout as sleep } from "node:timers/promises";
import type { Column } from "@/cli/tpp/table";

export type Asked = { readonly milliseconds: readonly number[]; readonly failed: number };

/** At a steady rate, whether or not answers have come: a slow server is not spared. */
export async function askAtRate(
  seconds: number,
  perSecond: number,
  ask: (nth: number) => Promise<{ readonly status: number }>,
): Promise<Asked> {
  const milliseconds: number[] = [];
  let failed = 0;
  const one = async (nth: number) => {
    const began = performance.now();
    const answer = await ask(nth).catch(() => undefined);
    if (answer?.status === 200) milliseconds.push(performance.now() - began);
    else failed += 1;
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let nth = 0; nth < perSecond * seconds; nth += 1) {
    await sleep(Math.max(0, began + (nth * 1_000) / perSecond - performance.now()));
    asked.push(one(nth));
  }
  await Promise.all(asked);
  return { milliseconds, failed };
}

/** The nearest-rank quantile; NaN of nothing, which no limit lets pass. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** Of a ratio of times, as a verdict shows it. */
export function timeLimit(most: number, judgesTimes: boolean): string {
  return judgesTimes ? `${most} at most` : `${most} at most with --full; not judged here`;
}

/** A table whose columns but the first are numbers. */
export function numbers([first = "Name", ...others]: readonly string[]): readonly Column[] {
  return [{ heading: first }, ...others.map((heading) => ({ heading, align: "right" }) as const)];
}
