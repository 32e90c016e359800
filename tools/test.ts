import { playwright, runSteps, vitest } from "./steps";

/** `npm test`: every check but the campaigns. The lint and the type check count as one check each. */
await runSteps([
  { command: "npm run --silent lint" },
  { command: "npm run --silent typecheck" },
  vitest(),
  playwright("playwright"),
]);
