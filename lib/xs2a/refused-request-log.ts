import { Rejection } from "@/lib/domain/errors";
import type { RefusedRequest, RefusedRequests } from "@/lib/domain/refused-requests";
import type { TppId } from "@/lib/domain/values";

export type RefusedRequestLog = { readonly note: (refused: Refused) => void };

type Refused = Pick<RefusedRequest, "requestId" | "method" | "route" | "resource"> & {
  readonly error: unknown;
  /** Unknown where its certificate was refused. */
  readonly tppId: TppId | undefined;
  /** The bank's time; unknown in an outage. */
  readonly at: Date | undefined;
};

type Keeping = {
  readonly store: RefusedRequests;
  /** Of one TPP, in a minute. */
  readonly perMinuteMax: () => number;
  /** What could not be written is gone; no TPP waits for it. */
  readonly onFault: (error: unknown) => void;
  readonly milliseconds?: () => number;
};

const MINUTE_MS = 60_000;
/** How long refusals are gathered before they are written, together. */
const GATHERED_MS = 500;
const TOLD_CHARACTERS_MAX = 500;

/** Keeps what TPPs were told when they were refused, bounded, since each can cause refusals without end. */
export function refusedRequestLog({
  store,
  perMinuteMax,
  onFault,
  milliseconds = () => performance.now(),
}: Keeping): RefusedRequestLog {
  let minute = 0;
  let gathered: RefusedRequest[] = [];
  const counts = new Map<TppId, number>();
  const isOver = (tppId: TppId) => {
    const now = Math.floor(milliseconds() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    const count = (counts.get(tppId) ?? 0) + 1;
    counts.set(tppId, count);
    return count > perMinuteMax();
  };
  const write = () => {
    const rows = gathered;
    gathered = [];
    store.keep(rows).catch(onFault);
  };
  return {
    note: ({ error, tppId, at, ...request }) => {
      if (!(error instanceof Rejection) || tppId === undefined || at === undefined) return;
      if (isOver(tppId)) return;
      const { status, faults } = error;
      const told = faults.map(({ text }) => text).join("; ");
      const { code } = faults[0];
      gathered.push({
        ...{ ...request, at, tppId, status, code },
        told: told.slice(0, TOLD_CHARACTERS_MAX),
      });
      if (gathered.length === 1) setTimeout(write, GATHERED_MS).unref();
    },
  };
}
