import fc from "fast-check";
import { goOut } from "./outing";
import type { Party } from "./party";
import { outings } from "./steps";

export type Wanted = {
  readonly steps: number;
  readonly seed: number;
  /** Of a walk that has failed before, as fast-check names it. */
  readonly path: string | undefined;
};
export type Strolled = { readonly steps: number; readonly found: string | undefined };

/** How long a walk that has failed is made shorter, in milliseconds. */
const SHORTENING = 120_000;
/** No outing is shorter than this, or the last would never come. */
const STEPS_LEAST = 10;

/** Outings until so many steps are made; the first fault ends them, told with the shortest walk to it. */
export async function stroll(
  party: Party,
  { steps: wanted, seed, path }: Wanted,
): Promise<Strolled> {
  let steps = 0;
  let failedAt: number | undefined;
  const isEnough = () =>
    failedAt === undefined ? steps >= wanted : performance.now() - failedAt > SHORTENING;
  const walks = fc.asyncProperty(outings(party.browsers.length), async (outing) => {
    if (isEnough()) return;
    try {
      const made = await goOut(party, outing);
      if (failedAt === undefined) steps += made;
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });
  const numRuns = path === undefined ? Math.ceil(wanted / STEPS_LEAST) : 1;
  const details = await fc.check(walks, { seed, numRuns, ...(path !== undefined && { path }) });
  if (!details.failed) return { steps, found: undefined };
  const { counterexamplePath, errorInstance } = details;
  const again = `WALK_SEED=${seed} WALK_PATH=${counterexamplePath} npm run walk`;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { steps, found: `after ${steps} steps; again with: ${again}\n${why}` };
}
