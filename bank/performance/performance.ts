import type { Service } from "@/lib/server/request-line";
import { type DayFigures, isAnswered, isFailed, tallying } from "./days";
import { gapsBetween, noteAnswered, outagesIn } from "./outages";
import { type Logged, readLines } from "./read-lines";

type OfService = Logged & { readonly service: Service };

/**
 * What a bank publishes of its interface, from the logs of all its servers in any order (RTS art. 32(4)). They are
 * read twice where requests have failed: a quarter's are too large to be kept, and which were consecutive is known
 * only when all have been seen. Throws CommandFailed for what cannot be read.
 */
export async function performanceOf(
  files: readonly string[],
  timeZone: string,
): Promise<readonly DayFigures[]> {
  const tally = tallying(timeZone);
  const failed: number[] = [];
  let end = 0;
  for await (const line of requestsIn(files)) {
    tally.note(line);
    if (isFailed(line)) failed.push(line.cameAt);
    end = Math.max(end, line.overAt);
  }
  const gaps = gapsBetween(failed);
  if (failed.length > 0) {
    for await (const line of requestsIn(files))
      if (isAnswered(line)) noteAnswered(gaps, line.cameAt);
  }
  return tally.figures(outagesIn(gaps, end));
}

async function* requestsIn(files: readonly string[]): AsyncGenerator<OfService> {
  for (const file of files) {
    for await (const { service, ...line } of readLines(file)) {
      if (service !== undefined) yield { ...line, service };
    }
  }
}
