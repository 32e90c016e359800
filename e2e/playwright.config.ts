import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./harness/chromium";
import { isCoreBankApart } from "./harness/core-bank";

/**
 * With a core bank in a process of its own what asks it is tried again: TPPs, PSUs, staff and the bank's own systems. Pages of
 * developers, certificates and proxies are the same, and identity-provider.spec.ts has such a core bank anyway.
 */
const withCoreBank = [
  ...["psu/**", "xs2a/**", "core-bank.spec.ts", "clock.spec.ts", "tpp-*.spec.ts"],
  ...["bank-api", "staff", "staff-blocks", "events", "isolation", "database-outage"].map(
    (name) => `${name}.spec.ts`,
  ),
];

export default defineConfig({
  testDir: ".",
  testMatch: isCoreBankApart() ? withCoreBank : "**/*.spec.ts",
  testIgnore: "campaigns/**",
  outputDir: "../test-results/e2e",
  // Machines draw letters differently: `npm run screenshots` alone compares pictures, and writes them.
  ignoreSnapshots: process.env["SCREENSHOTS"] !== "1",
  snapshotPathTemplate: "../docs/images/psu/{arg}{ext}",
  globalSetup: "./harness/global-setup.ts",
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  // None of these is a promise about speed: they only end what hangs, on a machine that is busy with something else too.
  timeout: 180_000,
  expect: { timeout: 30_000, toHaveScreenshot: { maxDiffPixelRatio: 0.05 } },
  reporter: [["list"], ["json", { outputFile: "../test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    launchOptions: { args: chromiumArguments(), executablePath: chromiumPath() },
    locale: "en-GB",
    actionTimeout: 60_000,
  },
});
