import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { campaigns } from "@/tools/faults/campaigns";
import { playwright, runSteps, type Step, vitest } from "./steps";

/**
 * `npm run test:campaigns`: what takes too long for `npm test`, and so much of it as two cores do in half an hour; the
 * environment asks for more. Each campaign of the faults counts as one check, and the bench is only held to its answers.
 */
const { WALK_STEPS = "500", MODEL_RUNS, EVENT_MUTATIONS = "10000" } = process.env;
const { NOTIFIED_PAYMENTS = "1000", SCALE_PERMISSIONS = "100000" } = process.env;
const { SCALE_EVENTS = "1000000", CORE_BANK_ENTRIES = "100000", AGAIN = "yes" } = process.env;

const MORE = {
  ...{ NOTIFIED_PAYMENTS, EVENT_MUTATIONS, SCALE_PERMISSIONS, SCALE_EVENTS },
  CORE_BANK_ENTRIES,
  RANDOM_INPUTS: "all",
};

/** Tests of which `npm test` has less: by these variables, and by lib/testing-inputs.ts. */
const FILES_WITH_MORE = ["lib", "cli"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((file) => file.endsWith(".test.ts") && hasMore(readFileSync(file, "utf8"))),
);
function hasMore(source: string): boolean {
  return ["testing-inputs", ...Object.keys(MORE)].some((name) => source.includes(name));
}

/** Tools besides Node, of Debian's packages prometheus, podman and mmdebstrap, and helm, which .ci/run gets where it can. */
function installed(...tools: readonly string[]): boolean {
  const missing = tools.filter((tool) => spawnSync(tool, ["--version"]).error !== undefined);
  if (missing.length > 0)
    console.log(`Not installed: ${missing.join(", ")}. What needs it is not tried.`);
  return missing.length === 0;
}

const faults = (names: readonly string[]) =>
  names.map((name): Step => ({ command: `npm run --silent faults -- ${name}` }));
/** Memory depends on when it is collected; and where no request may fail, none may wait for the processor for seconds. */
const alone = ["slow-clients", "restart-nodes", "upgrade", "rotate-keys", "fairness"];
/** They judge what is left and what was read, however long requests wait. */
const besidePages = [
  "open-authorisations",
  "stop-database",
  "password-guessing",
  "full-disk",
  "funds-search",
];
/** In kill-both a server is killed, too. */
const contained = ["kill-server"];
const elsewhere = [...alone, ...besidePages, ...contained];

await runSteps([
  ...faults(alone),
  [
    ...faults(Object.keys(campaigns).filter((name) => !elsewhere.includes(name))),
    {
      command:
        "npm run --silent bench -- --seconds 1 --rounds 1 --consents 2 --only accounts --only payments",
    },
  ],
  // Several browsers and servers at once; to none of their pages may the bank say that it cannot answer.
  playwright("campaigns", { WALK_STEPS }),
  // The end-to-end tests with the embedded ledger, and again those that a core bank in a process of its own can change.
  ...(AGAIN === "yes"
    ? [playwright("playwright"), playwright("playwright", { CORE_BANK: "http" })]
    : []),
  [
    { command: "npm run --silent conformance", report: "test-results/conformance.json" },
    ...(installed("podman", "mmdebstrap") ? [{ command: "npm run --silent image:try" }] : []),
    ...(MODEL_RUNS === undefined ? [] : [vitest("lib/postgres/payments-model", { MODEL_RUNS })]),
    // Tests of `npm test` again, with more of each.
    ...(AGAIN === "yes" ? [vitest(FILES_WITH_MORE.join(" "), MORE)] : []),
    ...faults(besidePages),
    ...(installed("promtool")
      ? [
          { command: "promtool check config deploy/observability/prometheus.yaml" },
          { command: "promtool test rules deploy/observability/alerts.test.yaml" },
        ]
      : []),
    ...(installed("helm") ? [{ command: "npm run --silent chart:try" }] : []),
    { command: "npm run --silent supply-chain" },
  ],
]);
