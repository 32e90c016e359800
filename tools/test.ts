import { runPackage } from "./run";
import { env, playwright, runSteps, vitest } from "./steps";
import { oneFailed, onePassed, sum, type Totals } from "./totals";

/** `npm test`: every check but the campaigns. The lint and the type check count as one check each. */
await runSteps([
  { heading: "Lint, format and types", run: lintAndTypes },
  { heading: "Unit, architecture and integration tests", run: () => vitest("vitest") },
  { heading: "End-to-end tests in Chromium", run: () => playwright() },
]);

async function lintAndTypes(): Promise<Totals> {
  const lint = runPackage("biome", ["ci", "."], env);
  // Next's generated types come first: without them a clean checkout knows no route.
  const types = runPackage("next", ["typegen"], env).then(
    (generated) => generated && runPackage("tsc", ["--noEmit"], env),
  );
  const results = await Promise.all([lint, types]);
  return sum(results.map((well) => (well ? onePassed : oneFailed)));
}
