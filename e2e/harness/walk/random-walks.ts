import fc from "fast-check";
import { type Wish, wishes } from "./asking";
import type { OpenBrowsers } from "./browsers";
import { freshLane, type Lane } from "./lane";
import { type Act, type Begin, isOver, type Step } from "./moves";
import type { Twice } from "./page";
import { begin, judgeRequest, walk } from "./walk";

type Wanted = {
  readonly steps: number;
  readonly seed: number;
  /** Of a walk that has failed before, as fast-check names it. */
  readonly path: string | undefined;
};
type Walked = { readonly steps: number; readonly found: string | undefined };

/** How long a walk that has failed is made shorter, in milliseconds. */
const SHORTENING = 120_000;
/** No round is shorter than this, or the last would never come. */
const STEPS_LEAST = 10;

/** Rounds until so many steps are made; the first fault ends them, with the shortest walk to it. */
export async function walkAtRandom(
  open: OpenBrowsers,
  { steps: wanted, seed, path }: Wanted,
): Promise<Walked> {
  let steps = 0;
  let failedAt: number | undefined;
  const isEnough = () =>
    failedAt === undefined ? steps >= wanted : performance.now() - failedAt > SHORTENING;
  const walks = fc.asyncProperty(rounds(open.browsers.length), async (round) => {
    if (isEnough()) return;
    try {
      const made = await walkRound(open, round);
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

/** What a walk in which something was found has been. */
class RoundError extends Error {
  override readonly name = "RoundError";
}

/**
 * Yields how many steps it has been. Browsers walk at the same time; between their legs the bank's clock moves on for all
 * of them. Throws a RoundError with the walk in which something was not as it has to be.
 */
async function walkRound(
  { setting, browsers }: OpenBrowsers,
  { walks, pauses }: Round,
): Promise<number> {
  const lanes = walks.flatMap((one, at) => {
    const walkers = browsers[at];
    const idle = one.legs.every((leg) => leg.length === 0);
    return walkers === undefined || idle ? [] : [{ lane: freshLane(setting, walkers), one }];
  });
  let steps = 0;
  const all = async (go: (lane: Lane, one: Walk) => Promise<number>) => {
    const ended = await Promise.allSettled(
      lanes.map(({ lane, one }) => explained(lane, go(lane, one))),
    );
    for (const end of ended) {
      if (end.status === "rejected") throw end.reason;
      steps += end.value;
    }
  };
  await all(async (lane, one) => {
    const { context, tabs, people, walker, passerBy } = lane;
    await context.clearCookies();
    for (const tab of tabs) await tab.startsAfresh();
    for (const { userId } of [walker, passerBy]) await people.unlock(userId);
    await begin(lane, one.begin);
    return 1;
  });
  for (let leg = 0; leg <= pauses.length; leg += 1) {
    await all((lane, { legs }) => walkLeg(lane, legs[leg] ?? []));
    const minutes = pauses[leg];
    if (minutes === undefined) continue;
    await setting.clock.advance(`PT${minutes}M`);
    // For each of them it is a step of its walk.
    steps += lanes.length;
    for (const { lane } of lanes) lane.log.push(`${minutes} minutes pass`);
  }
  await all(finish);
  return steps;
}

async function walkLeg(lane: Lane, leg: readonly Step[]): Promise<number> {
  let steps = 0;
  for (const step of leg) {
    if (!step.act.startsWith("begin ")) {
      if (await walk(lane, step)) steps += 1;
      continue;
    }
    if (!isOver(lane)) continue;
    steps += (await finish(lane)) + 1;
    await begin(lane, step.act.slice("begin ".length) as Wish);
  }
  return steps;
}

/** Goes back to the TPP in every tab that offers one; then all has to agree with what the TPP sees. */
async function finish(lane: Lane): Promise<number> {
  let steps = 0;
  for (const tab of [0, 1] as const) {
    if (await walk(lane, { act: "cancel", tab })) steps += 1;
  }
  await judgeRequest(lane);
  return steps;
}

async function explained(lane: Lane, steps: Promise<number>): Promise<number> {
  try {
    return await steps;
  } catch (error) {
    const who = `${lane.walker.userId}${lane.javaScript ? ", with JavaScript" : ""}`;
    const log = lane.log.map((line) => `  ${line}`).join("\n");
    throw new RoundError(`${error instanceof Error ? error.stack : error}\n${who}:\n${log}`);
  }
}

/** How often each is drawn; what a page does not offer is passed over, and costs nothing. */
const weights: Readonly<Record<Exclude<Act, Begin>, number>> = {
  login: 12,
  "login-wrong": 3,
  "login-empty": 1,
  "login-other": 2,
  "accounts-none": 1,
  "accounts-one": 4,
  "accounts-all": 5,
  "change-accounts": 2,
  code: 7,
  "code-wrong": 3,
  "code-old": 1,
  "code-none": 1,
  "code-malformed": 1,
  "new-code": 2,
  passkey: 3,
  cancel: 3,
  stay: 1,
  back: 3,
  reload: 3,
  link: 2,
  "same-page": 3,
  "old-page": 1,
  language: 2,
  "sign-out-cookie": 1,
  "all-cookies": 1,
  withdraw: 1,
  revoke: 2,
};

const doubled: ReadonlySet<Act> = new Set<Act>([
  "login",
  "login-wrong",
  "accounts-all",
  "code",
  "code-wrong",
  "new-code",
  "cancel",
]);

const tab = fc.oneof({ weight: 3, arbitrary: fc.constant(0 as const) }, fc.constant(1 as const));
const once = fc.constant(undefined);
const twice = fc.oneof(
  { weight: 10, arbitrary: once },
  { weight: 1, arbitrary: fc.constantFrom<Twice>("clicks", "posts") },
);
const beginning = fc.constantFrom(...wishes).map((wish): Begin => `begin ${wish}`);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: beginning },
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as Act),
  })),
);

const step: fc.Arbitrary<Step> = fc
  .record({ act, tab, twice })
  .map(({ twice: how, ...one }) =>
    how !== undefined && doubled.has(one.act) ? { ...one, twice: how } : one,
  );

/** Minutes that pass at the bank for everybody: less than a session, more, more than a window, and than any. */
const pause = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constant(6) },
  { weight: 2, arbitrary: fc.constant(16) },
  { weight: 1, arbitrary: fc.constant(200) },
);

const LEG_STEPS = 50;
const leg = fc.array(step, { maxLength: LEG_STEPS, size: "max" });
const LEGS = 4;

/** One browser's walk: what it does between the pauses. */
type Walk = { readonly begin: Wish; readonly legs: readonly (readonly Step[])[] };
/** Walks of several browsers at once, on one bank with one clock. */
type Round = { readonly pauses: readonly number[]; readonly walks: readonly Walk[] };

/** As long as anybody needs: nothing is drawn shorter at first. */
function rounds(browsers: number): fc.Arbitrary<Round> {
  const walk = fc.record({
    begin: fc.constantFrom(...wishes),
    legs: fc.array(leg, { minLength: LEGS, maxLength: LEGS }),
  });
  const walks = fc.array(walk, { minLength: browsers, maxLength: browsers });
  const pauses = fc.array(pause, { minLength: LEGS - 1, maxLength: LEGS - 1 });
  return fc.noBias(fc.record({ pauses, walks }));
}
