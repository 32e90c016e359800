import { parseArgs } from "node:util";
import { bankProfile } from "@/lib/profile/in-force";
import { loadSettings } from "@/lib/server/hosts";
import { CommandFailed } from "../command-failed";
import type { DayFigures } from "../performance/days";
import { performanceOf } from "../performance/performance";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- performance LOG...

Availability, mean time of an answer, and errors, for each day of the bank's time zone, as CSV. LOG is
what a server with REQUEST_LOG=true has written; give those of all servers, in any order.

The interface was down from the first of five consecutive requests on that had no reply, or a 5xx, within 30
seconds altogether, until the next one was granted. The mean is that of the requests that were granted, errors
are the 5xx and what was left without an answer for six seconds or longer, as in what is published. When
no server runs, none writes: what a proxy says of that time is to be added.`;

export async function run(args: readonly string[]): Promise<string> {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  if (positionals.length === 0) throw new WrongUsage("performance needs at least one LOG");
  loadSettings();
  const days = await performanceOf(positionals, bankProfile().timeZone);
  if (days.length === 0) {
    throw new CommandFailed(
      "no request in it: REQUEST_LOG is to be true, and LOG_LEVEL info or debug",
    );
  }
  return [HEAD, ...days.map(inColumns)].join("\n");
}

const HEAD = "day,uptime %,downtime %,PISP ms,AISP ms,CBPII ms,errors %,requests";

function inColumns({ day, downtime, errors, meanMs, requests }: DayFigures): string {
  const percent = (share: number) => (share * 100).toFixed(3);
  const mean = (ms: number | undefined) => (ms === undefined ? "" : ms.toFixed(1));
  const { pisp, aisp, cbpii } = meanMs;
  const means = [mean(pisp), mean(aisp), mean(cbpii)];
  return [
    day,
    percent(1 - downtime),
    percent(downtime),
    ...means,
    percent(errors),
    requests,
  ].join();
}
