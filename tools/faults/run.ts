import { parseArgs } from "node:util";
import { campaigns } from "./campaigns";

/**
 * `npm run faults`: the bank is broken under clients that use it, and nothing may be lost, doubled or answered otherwise
 * than promised. Without names every campaign runs, short; `--full` as promised: then times decide too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: "boolean", default: false }, "hostile-cores": { type: "string" } },
});

const stopped = new AbortController();
// The servers get it too; what is left is to take away what this process has started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const failed: string[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(campaigns)) {
  const campaign = campaigns[name];
  if (campaign === undefined)
    throw new Error(`no campaign ${name}; there are ${Object.keys(campaigns).join(", ")}`);
  const size = values.full ? campaign.full : campaign.short;
  console.log(
    `\n${name}: ${campaign.what}.\n${size.faults} ${campaign.unit}; ${size.clients} clients.`,
  );
  try {
    const { text, passed } = await campaign.run({
      ...size,
      ...{
        hostileCores: values["hostile-cores"],
        judgesTimes: values.full,
        signal: stopped.signal,
      },
    });
    console.log(`\n${text}\n\n${name}: ${passed ? "passed" : "FAILED"}`);
    if (!passed) failed.push(name);
  } catch (error) {
    failed.push(name);
    if (stopped.signal.aborted) break;
    console.error(error);
  }
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
