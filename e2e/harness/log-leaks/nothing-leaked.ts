import { personalInDemoBank } from "./demo-bank";
import { leaksIn } from "./leaks-in";

/** One mistake can be made at each request. */
const TOLD_MAX = 20;

/** What a server has written, and the file in test-results where people find it. */
export type Written = { readonly file: string; readonly output: string };

/** Throws when a server of the demo bank has written what is its customers' own (X7): where, and never what. */
export function checkNothingLeaked(servers: readonly Written[]): void {
  const personal = personalInDemoBank();
  const leaks = servers.flatMap(({ file, output }) => {
    return leaksIn(output, personal).map(({ line, what }) => `  ${file}, line ${line}: ${what}`);
  });
  if (leaks.length === 0) return;
  const shown = leaks.slice(0, TOLD_MAX).join("\n");
  throw new Error(
    `X7: ${leaks.length} findings in the log of what belongs to customers:\n${shown}`,
  );
}
