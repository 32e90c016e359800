import type { Asking } from "./asking";
import type { Setting, Walkers } from "./browsers";
import type { Reading } from "./page";
import { type Chosen, emptyWorld, type Sight, type World } from "./world";

/** What a tab shows, as far as the walk needs it to go on from there. */
export type Shown = {
  readonly sight: Sight;
  readonly uid?: string;
  /** Of the session in whose name its forms were made. */
  readonly serial?: number;
  /** The accounts that it would share. */
  readonly chosen?: Chosen;
  /** Absent at the TPP. */
  readonly reading?: Reading;
};

/** The PSU's return to the TPP, with a code. */
type WithCode = { readonly request: number; readonly url: string; readonly at: number };

/** One browser and what it has been through. */
export type Lane = Setting &
  Walkers & {
    /** By the tab's number; nothing while it shows no page of the bank's. */
    readonly shown: (Shown | undefined)[];
    readonly askings: Asking[];
    /** Every page there has ever been, and of which request it is. */
    readonly requestOf: Map<string, number>;
    readonly codes: WithCode[];
    /** All that has come to the TPP, so that what is loaded once more is told from an answer. */
    readonly came: Set<string>;
    readonly log: string[];
    world: World;
    /** Two codes went out at once: the last to arrive need not be the good one. */
    doubtful: boolean;
  };

export function freshLane(setting: Setting, walkers: Walkers): Lane {
  const { userId } = walkers.walker;
  return {
    ...setting,
    ...walkers,
    shown: [],
    askings: [],
    requestOf: new Map(),
    codes: [],
    came: new Set(),
    log: [],
    world: emptyWorld(userId, walkers.passkeys ? userId : undefined),
    doubtful: false,
  };
}

/** Something of the bank's is not as it has to be. */
export class WalkError extends Error {
  override readonly name = "WalkError";
}

export function currentRequest({ askings }: Lane): number {
  return askings.length - 1;
}

export function currentAsking(lane: Lane): Asking {
  const asking = lane.askings.at(-1);
  if (asking === undefined) throw new Error("nothing was asked for yet");
  return asking;
}
