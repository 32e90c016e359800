import { playwright, runSteps, vitest } from "./steps";

/**
 * `npm test`: every check but the campaigns. The lint and the type check count as one check each. Half of the time the
 * two suites wait, for timers and for other processes: side by side they use what the other leaves of two cores.
 */
await runSteps([
  { command: "npm run --silent lint" },
  { command: "npm run --silent typecheck" },
  [vitest(), playwright("playwright")],
]);
