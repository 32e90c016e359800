import { after } from "@/lib/domain/clock";
import { certificateLimits } from "../limits";
import { StatusFault } from "./status";

/**
 * Until when a statement is left at: its end, but ten minutes at most, so that a revocation is soon
 * seen, and half a minute at least, so that one without an end is not asked for at each call. Throws
 * a StatusFault when it is of the future or its end has come: somebody may be replaying it. One
 * without an end has been superseded as soon as it is made (RFC 6960 4.2.2.1), so it has to be new.
 */
export function believedUntil(thisUpdate: Date, nextUpdate: Date | undefined, now: Date): Date {
  const { statusClockSkewSeconds: skew, goodSecondsMin, goodMinutesMax } = certificateLimits;
  const end = nextUpdate ?? thisUpdate;
  if (thisUpdate > after(now, skew, "second")) throw new StatusFault("made in the future");
  if (end <= after(now, -skew, "second")) throw new StatusFault("out of date");
  const earliest = after(now, goodSecondsMin, "second").getTime();
  const latest = after(now, goodMinutesMax, "minute").getTime();
  return new Date(Math.min(Math.max(end.getTime(), earliest), latest));
}
