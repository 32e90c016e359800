import { isOver } from "./asides";
import type { Wish } from "./asking";
import { judgeRequest } from "./end";
import { freshLane, type Lane } from "./lane";
import type { Party } from "./party";
import type { Outing, Step, Walk } from "./steps";
import { begin, walk } from "./walk";

/** What a walk in which something was found has been. */
export class OutingError extends Error {
  override readonly name = "OutingError";
}

/**
 * Yields how many steps it has been. Browsers walk at the same time; between their legs the bank's clock moves on for all
 * of them. Throws an OutingError with the walk in which something was not as it has to be.
 */
export async function goOut(
  { setting, browsers }: Party,
  { walks, pauses }: Outing,
): Promise<number> {
  const parties = walks.flatMap((one, at) => {
    const walkers = browsers[at];
    const idle = one.legs.every((leg) => leg.length === 0);
    return walkers === undefined || idle ? [] : [{ lane: freshLane(setting, walkers), one }];
  });
  let steps = 0;
  const all = async (go: (lane: Lane, one: Walk) => Promise<number>) => {
    const ended = await Promise.allSettled(
      parties.map(({ lane, one }) => told(lane, go(lane, one))),
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
    await all((lane, { legs }) => goLeg(lane, legs[leg] ?? []));
    const minutes = pauses[leg];
    if (minutes === undefined) continue;
    await setting.clock.advance(`PT${minutes}M`);
    // For each of them it is a step of its walk.
    steps += parties.length;
    for (const { lane } of parties) lane.log.push(`${minutes} minutes pass`);
  }
  await all(finish);
  return steps;
}

async function goLeg(lane: Lane, leg: readonly Step[]): Promise<number> {
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

/** Takes the way back in every tab that offers one; then all has to agree with what the TPP sees. */
async function finish(lane: Lane): Promise<number> {
  let steps = 0;
  for (const tab of [0, 1] as const) {
    if (await walk(lane, { act: "cancel", tab })) steps += 1;
  }
  await judgeRequest(lane);
  return steps;
}

async function told(lane: Lane, steps: Promise<number>): Promise<number> {
  try {
    return await steps;
  } catch (error) {
    const who = `${lane.walker.userId}${lane.javaScript ? ", with JavaScript" : ""}`;
    const log = lane.log.map((line) => `  ${line}`).join("\n");
    throw new OutingError(`${error instanceof Error ? error.stack : error}\n${who}:\n${log}`);
  }
}
