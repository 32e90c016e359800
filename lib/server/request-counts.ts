// biome-ignore-all lint/style/noRestrictedImports: counts are kept in the database, and the process ends it with itself

import type { MessageCode } from "@/lib/domain/errors";
import type { MinuteCount } from "@/lib/domain/interface-figures";
import { log } from "@/lib/log";
import { isLost } from "@/lib/postgres/guard";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { addRequestCounts } from "@/lib/postgres/request-counts";
import { bankProfile } from "@/lib/profile/in-force";
import type { Step } from "./processes";
import { repeat } from "./processes";
import { areaOf, outcomeOf, type SeenRequest } from "./requests-seen";

/** What a kill of this process loses at most. */
const EVERY_SECONDS = 1;
/** Of one connection, which nothing else waits for. */
const BOUNDS = { connect: 5_000, wait: 5_000, answer: 5_000, rest: 5_000 };
const MINUTE_MS = 60_000;
/** Minutes, areas and outcomes that wait while the database is unavailable: of about three hours. */
const WAITING_MAX = 2_000;

/**
 * Counts requests by minute, area and outcome (RTS art. 32(4)); the counts of all servers add up in the database. While it
 * is unavailable they wait here.
 */
export function requestCounts(now: () => number = Date.now) {
  let counts = new Map<string, MinuteCount>();

  function add(count: MinuteCount): void {
    const key = `${count.minute.getTime()} ${count.area} ${count.outcome}`;
    const { requests = 0, tookMicroseconds = 0, codes } = counts.get(key) ?? {};
    if (requests === 0 && counts.size >= WAITING_MAX) return;
    counts.set(key, {
      ...count,
      requests: requests + count.requests,
      tookMicroseconds: tookMicroseconds + count.tookMicroseconds,
      codes: together(codes, count.codes),
    });
  }

  return {
    note: (seen: SeenRequest): void => {
      const [area, outcome] = [areaOf(seen), outcomeOf(seen)];
      if (area === undefined || outcome === undefined) return;
      const minute = new Date(Math.floor((now() - seen.tookMs) / MINUTE_MS) * MINUTE_MS);
      const tookMicroseconds = Math.round(seen.tookMs * 1_000);
      const codes = outcome === "refused" && seen.code ? { [seen.code]: 1 } : undefined;
      add({ minute, area, outcome, requests: 1, tookMicroseconds, codes });
    },

    /** Hands the counts over. What cannot be written waits with the next ones. */
    flush: async (write: (counts: readonly MinuteCount[]) => Promise<void>): Promise<void> => {
      const waiting = [...counts.values()];
      if (waiting.length === 0) return;
      counts = new Map();
      try {
        await write(waiting);
      } catch (error) {
        for (const count of waiting) add(count);
        throw error;
      }
    },
  };
}

type Codes = MinuteCount["codes"];

function together(known: Codes, more: Codes): Codes {
  if (known === undefined || more === undefined) return known ?? more;
  const sums = Object.entries(more).map(([code, times]) => {
    return [code, times + (known[code as MessageCode] ?? 0)] as const;
  });
  return { ...known, ...Object.fromEntries(sums) };
}

/** Writes the counts of this process every second, and what is left when it ends. */
export function startRequestCounts(
  counts: ReturnType<typeof requestCounts>,
  databaseUrl: string,
): Step {
  const { run, close } = guardedClient(databaseUrl, { max: 1, bounds: BOUNDS });
  const write = async (waiting: readonly MinuteCount[]) => {
    // While no connection answers nothing was sent, and the counts wait.
    await run((sql) => sql`select`);
    await addRequestCounts(run, waiting, bankProfile().timeZone).catch((err: unknown) => {
      if (!isLost(err)) throw err;
      // It may still be carried out: written again, it would be counted twice, each time that the database stalls.
      const requests = waiting.reduce((sum, count) => sum + count.requests, 0);
      log.error({ err, requests }, "these requests may be missing in the counts");
    });
  };
  const turn = () => counts.flush(write).then(() => false);
  const { stop } = repeat({ everySeconds: EVERY_SECONDS, turn });
  const rest = () =>
    counts.flush(write).catch((err: unknown) => log.error({ err }, "counts of requests are lost"));
  return { finish: () => stop().then(rest).then(close) };
}
