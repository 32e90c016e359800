import { join } from "node:path";
import { campaigns } from "@/tools/faults/campaigns";
import { run } from "./run";
import { env, playwright, reported, runSteps, vitest } from "./steps";
import { oneFailed, onePassed, type Totals, totalsOf } from "./totals";

/**
 * `npm run test:campaigns`: what takes too long for `npm test`, and so much of it as two cores do in half an hour; the
 * environment asks for more. Each campaign of the faults counts as one check.
 */
const { WALK_STEPS = "3000", MODEL_RUNS = "1500" } = process.env;
const conformanceFile = join(import.meta.dirname, "../test-results/conformance.json");

await runSteps([
  { heading: "Conformance", run: conformance },
  { heading: "The bench", run: bench },
  ...Object.keys(campaigns).map((name) => ({
    heading: `Faults: ${name}`,
    run: async () => ((await script("tools/faults/run.ts", name)) ? onePassed : oneFailed),
  })),
  {
    heading: `Payments through ${MODEL_RUNS} random lives, and as many with kills`,
    run: () => vitest("model", ["lib/postgres/payments-model"], { ...env, MODEL_RUNS }),
  },
  {
    heading: `A random walk of ${WALK_STEPS} steps through the PSU's pages`,
    run: () => playwright(["e2e/psu/random-walk"], { ...env, WALK_STEPS }),
  },
]);

/** In short: an answer that is not as expected ends it, and no figure is judged. */
async function bench(): Promise<Totals> {
  const short = ["--seconds", "1", "--rounds", "1", "--consents", "2"];
  return (await script("tools/bench/run.ts", ...short)) ? onePassed : oneFailed;
}

async function conformance(): Promise<Totals> {
  await script("tools/conformance/run.ts");
  return reported(conformanceFile, totalsOf);
}

function script(...args: readonly string[]): Promise<boolean> {
  return run(process.execPath, ["--import", "tsx", ...args], env);
}
