import { parseArgs } from "node:util";
import { loadSettings } from "@/lib/server/hosts";
import { systemClock } from "@/lib/system-clock";
import { CommandFailed } from "../command-failed";
import { calledChecks } from "../doctor/called";
import { type Line, linesOf } from "../doctor/check";
import { installedChecks } from "../doctor/installed";

export const help = `npm run bank -- doctor

Reads the settings as the server does and tries what they name: database, certificates, keys and trust anchors, core bank,
identity provider, SMS gateway, clock. Prints a line a check: ok, warn or FAIL, with what is wrong and how to fix it.
Changes nothing, and each check ends within seconds. Ends with 1 when one has failed or a setting is missing.`;

export async function run(args: readonly string[]): Promise<string> {
  parseArgs({ args: [...args], options: {} });
  const settings = loadSettings();
  const now = await systemClock.now();
  const lines = await linesOf([...installedChecks(settings, now), ...calledChecks(settings, now)]);
  const count = (result: Line["result"]) => lines.filter((line) => line.result === result).length;
  const text = [
    ...lines.map(({ result, what, sentence }) => `${result.padEnd(4)}  ${what}: ${sentence}`),
    `\n${count("ok")} ok, ${count("warn")} warn, ${count("FAIL")} FAIL`,
  ].join("\n");
  if (count("FAIL") > 0) throw new CommandFailed(text);
  return text;
}
