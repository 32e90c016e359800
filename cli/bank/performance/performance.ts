import { CommandFailed } from "../command-failed";
import { type DayFigures, tallying } from "./days";
import { gapsBetween, noteSuccess, outagesIn } from "./outages";
import { isSuccess, isUnreplied } from "./outcome";
import { type Logged, readLines } from "./read-lines";

/**
 * What a bank publishes of its interface, from the logs of all its servers in any order (RTS art. 32(4)). They are
 * read twice where requests had no reply: a quarter's are too large to be kept, and which were consecutive is known
 * only when all have been seen. Throws CommandFailed for what cannot be read.
 */
export async function performanceOf(
  files: readonly string[],
  timeZone: string,
): Promise<readonly DayFigures[]> {
  const tally = tallying(timeZone);
  const failed: number[] = [];
  let [count, end] = [0, 0];
  for await (const line of linesOf(files)) {
    [count, end] = [count + 1, Math.max(end, line.overAt)];
    const { service } = line;
    if (service === undefined) continue;
    tally.note({ ...line, service });
    if (isUnreplied(line)) failed.push(line.cameAt);
  }
  const gaps = gapsBetween(failed);
  if (failed.length > 0) {
    for await (const line of linesOf(files)) {
      count -= 1;
      if (line.service !== undefined && isSuccess(line)) noteSuccess(gaps, line);
    }
    // A log that is still written may have become longer.
    if (count > 0) throw new CommandFailed("a log has become shorter while it was read");
  }
  return tally.figures(outagesIn(gaps, end));
}

async function* linesOf(files: readonly string[]): AsyncGenerator<Logged> {
  for (const file of files) yield* readLines(file);
}
