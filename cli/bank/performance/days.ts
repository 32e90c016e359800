import { isError } from "@/lib/domain/interface-figures";
import { addDays, dayIn, endOfDayIn, type IsoDate, startOfDayIn } from "@/lib/domain/values";
import { outcomeOf, type Service } from "@/lib/server/requests-seen";
import type { Outage } from "./outages";
import type { Logged } from "./read-lines";

/** What EBA/GL/2018/07, 2.2 and 2.3, want of each day. */
export type DayFigures = {
  readonly day: IsoDate;
  readonly requests: number;
  /** Shares of one. */
  readonly downtime: number;
  readonly errors: number;
  /** The mean of the requests that were granted, in milliseconds; missing where there was none. */
  readonly meanMs: Readonly<Partial<Record<Service, number>>>;
};

type Mean = { count: number; ms: number };
type Tally = { requests: number; errors: number; readonly took: Map<Service, Mean> };

export function tallying(timeZone: string) {
  const tallies = new Map<IsoDate, Tally>();
  const tallyOf = (day: IsoDate) =>
    entry(tallies, day, () => ({ requests: 0, errors: 0, took: new Map() }));

  /** Of a request to one of the three services, on the day on which it came; by the rules of what is published. */
  function note(line: Logged & { readonly service: Service }): void {
    const outcome = outcomeOf(line);
    if (outcome === undefined) return;
    const tally = tallyOf(dayIn(timeZone, new Date(line.cameAt)));
    tally.requests += 1;
    if (isError(outcome)) tally.errors += 1;
    if (outcome !== "granted") return;
    const mean = entry(tally.took, line.service, () => ({ count: 0, ms: 0 }));
    mean.count += 1;
    mean.ms += line.tookMs;
  }

  /** Of each day from the first to the last; one without any request is the one to ask about. */
  function figures(outages: readonly Outage[]): readonly DayFigures[] {
    const down = downOf(timeZone, outages);
    for (const day of allOf([...tallies.keys(), ...down.keys()])) tallyOf(day);
    return [...tallies]
      .map(([day, { requests, errors, took }]) => ({
        day,
        requests,
        downtime: (down.get(day) ?? 0) / lengthOf(timeZone, day),
        errors: requests === 0 ? 0 : errors / requests,
        meanMs: Object.fromEntries(
          [...took].map(([service, { count, ms }]) => [service, ms / count]),
        ),
      }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }

  return { note, figures };
}

/** Milliseconds of each day, which may be some of an outage that goes on over night. */
function downOf(timeZone: string, outages: readonly Outage[]): ReadonlyMap<IsoDate, number> {
  const down = new Map<IsoDate, number>();
  for (const { from, until } of outages) {
    let day = dayIn(timeZone, new Date(from));
    for (let since = from; since < until; day = addDays(day, 1)) {
      const next = Math.min(until, endOfDayIn(timeZone, day).getTime());
      down.set(day, (down.get(day) ?? 0) + next - since);
      since = next;
    }
  }
  return down;
}

/** And those between them. */
function allOf(days: readonly IsoDate[]): readonly IsoDate[] {
  const ordered = days.toSorted();
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all: IsoDate[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) all.push(day);
  return all;
}

function lengthOf(timeZone: string, day: IsoDate): number {
  return endOfDayIn(timeZone, day).getTime() - startOfDayIn(timeZone, day).getTime();
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, made: () => Value): Value {
  const found = map.get(key) ?? made();
  map.set(key, found);
  return found;
}
