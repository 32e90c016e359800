import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./harness/chromium";

const executablePath = chromiumPath();

/** Begun first, so that none of them is left for the end, when the other workers have nothing to do. */
const LONG = [
  "psu/random-walk",
  "crash",
  "faults",
  "psu/screenshots",
  "clock",
  "psu/wrong-answers",
];
const long = LONG.map((name) => `**/e2e/${name}.spec.ts`);

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results/e2e",
  globalSetup: "./harness/global-setup.ts",
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "../test-results/e2e.json" }]],
  projects: [
    { name: "long", testMatch: long },
    { name: "short", testIgnore: long },
  ],
  use: {
    browserName: "chromium",
    launchOptions: {
      args: chromiumArguments(),
      ...(executablePath !== undefined && { executablePath }),
    },
    locale: "en-GB",
    actionTimeout: 15_000,
    // Each costs its test time, and of a run elsewhere nobody gets the files.
    trace: process.env["CI"] === undefined ? "retain-on-failure" : "off",
  },
});
