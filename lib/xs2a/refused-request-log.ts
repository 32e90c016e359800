import { Rejection } from "@/lib/domain/errors";
import type { Explanation, RefusedRequest, RefusedRequests } from "@/lib/domain/refused-requests";
import type { TppId } from "@/lib/domain/values";
import type { HttpRequest } from "./http";

export type RefusedRequestLog = { readonly note: (refused: Refused) => void };

type Refused = Pick<RefusedRequest, "requestId" | "route" | "resource"> & {
  readonly error: unknown;
  readonly request: HttpRequest;
  /** Absent where it was refused before its body was read. */
  readonly body: Uint8Array | undefined;
  /** Unknown where its certificate was refused. */
  readonly tppId: TppId | undefined;
  /** The bank's time; unknown in an outage. */
  readonly at: Date | undefined;
};

type Explaining = Pick<Refused, "request" | "body" | "route"> & {
  readonly rejection: Rejection;
  readonly at: Date;
};

type Keeping = {
  readonly store: RefusedRequests;
  /** Which check failed, and what it saw: also costly, and after the answer. */
  readonly explain: (refused: Explaining) => Promise<Explanation>;
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
  explain,
  perMinuteMax,
  onFault,
  milliseconds = () => performance.now(),
}: Keeping): RefusedRequestLog {
  let minute = 0;
  let gathered: Promise<RefusedRequest>[] = [];
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
    const rows = Promise.all(gathered);
    gathered = [];
    rows.then(store.keep).catch(onFault);
  };
  return {
    note: ({ error, tppId, at, request, body, ...named }) => {
      if (!(error instanceof Rejection) || tppId === undefined || at === undefined) return;
      if (isOver(tppId)) return;
      const { status, faults } = error;
      const told = faults.map(({ text }) => text).join("; ");
      const { code } = faults[0];
      const refused: RefusedRequest = {
        ...{ ...named, method: request.method, at, tppId, status, code },
        told: told.slice(0, TOLD_CHARACTERS_MAX),
      };
      const { route } = named;
      const explained = explain({ request, body, route, rejection: error, at }).then(
        (explanation) => ({ ...refused, explanation }),
        (fault) => {
          onFault(fault);
          return refused;
        },
      );
      gathered.push(explained);
      if (gathered.length === 1) setTimeout(write, GATHERED_MS).unref();
    },
  };
}
