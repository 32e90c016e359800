import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./harness/chromium";

const executablePath = chromiumPath();

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
  use: {
    browserName: "chromium",
    launchOptions: {
      args: chromiumArguments(),
      ...(executablePath !== undefined && { executablePath }),
    },
    locale: "en-GB",
    actionTimeout: 15_000,
    trace: "retain-on-failure",
  },
});
