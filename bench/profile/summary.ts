import { placing } from "./place";
import type { CallFrame, CpuProfile } from "./take-profile";

export type Share = { readonly name: string; readonly share: number };

/** Self times, as shares of the time in which the process was not idle. */
export type ProfileSummary = {
  readonly groups: readonly Share[];
  readonly functions: readonly Share[];
  /** Milliseconds in which it was not idle. */
  readonly busy: number;
};

const NO_WORK = new Set(["(idle)", "(root)"]);
const SHOWN = 30;

/** Each sample counts for the function that ran, and for the package or room it is from. */
export function summarise({ nodes, samples, timeDeltas }: CpuProfile): ProfileSummary {
  const placeOf = placing();
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[index] ?? 0;
    if (frame === undefined || NO_WORK.has(frame.functionName)) continue;
    const place = placeOf(frame);
    busy += time;
    add(groups, groupOf(frame, place), time);
    add(functions, `${frame.functionName || "(anonymous)"} ${place}`.trim(), time);
  }
  return {
    groups: shares(groups, busy),
    functions: shares(functions, busy),
    busy: busy / 1_000,
  };
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

function shares(times: ReadonlyMap<string, number>, total: number): readonly Share[] {
  return [...times]
    .map(([name, time]) => ({ name, share: time / total }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, SHOWN);
}

/** A package, a room of ours, a part of Node, or V8 and what is compiled. */
function groupOf({ functionName }: CallFrame, place: string): string {
  if (place === "") return functionName.startsWith("(") ? functionName : "native";
  const [, room] = /^((?:lib|app|drizzle|components)\/[^/:]+)/.exec(place) ?? [];
  const [, part] = /^(node:(?:internal\/)?[^/:]+)/.exec(place) ?? [];
  const [, named] = /^((?:@[^/]+\/)?[^/:]+)/.exec(place) ?? [];
  return room ?? part ?? named ?? place;
}
