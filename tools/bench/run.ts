import { bench } from "./measure";
import { optionsOf } from "./options";
import type { Cleanup } from "./processes";
import { tableOf } from "./report";

// `npm run bench`: the table goes to the standard output, and what is under way to the other one.

const open: Parameters<Cleanup>[0][] = [];
let closing: Promise<void> | undefined;
async function closeAll(): Promise<void> {
  for (const close of open.toReversed()) await close().catch(console.error);
}
function close(): Promise<void> {
  closing ??= closeAll();
  return closing;
}
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)));

const args = process.argv.slice(2);
try {
  const rounds = await bench(optionsOf(args), (one) => open.push(one));
  console.log(tableOf(rounds, ["npm run bench --", ...args].join(" ")));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await close();
}
