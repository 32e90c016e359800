import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./harness/chromium";
import { CLOSER } from "./harness/time-left";

const executablePath = chromiumPath();

/**
 * What looks more closely at pages that others use as well. Begun last, each test for itself, and passed over on a
 * machine so slow that there is no time left: see harness/time-left.ts.
 */
const CLOSELY = ["developers-accessibility", "psu/random-walk", "psu/screenshots*"];
const closer = CLOSELY.map((name) => `**/e2e/${name}.spec.ts`);

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
    { name: "all", testIgnore: closer },
    { name: CLOSER, testMatch: closer, fullyParallel: true },
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
