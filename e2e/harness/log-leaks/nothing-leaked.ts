import { personalInDemoBank } from "./demo-bank";
import { leaksIn } from "./leaks-in";

/** What a server has written, and the file in test-results where people find it. */
export type Written = { readonly file: string; readonly output: string };

/** Throws when a server of the demo bank has written what is its customers' own (X7): where, and never what. */
export function checkNothingLeaked(servers: readonly Written[]): void {
  const personal = personalInDemoBank();
  const leaks = servers.flatMap(({ file, output }) => {
    return leaksIn(output, personal).map(({ line, what }) => `  ${file}, line ${line}: ${what}`);
  });
  if (leaks.length === 0) return;
  throw new Error(`X7: the bank's log holds what belongs to its customers:\n${leaks.join("\n")}`);
}
