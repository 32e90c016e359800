import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./harness/chromium";
import { isCoreBankApart } from "./harness/core-bank";

/**
 * What is the same whichever core bank is behind: pages for developers, a profile's look, certificates, proxies. The
 * production demo of identity-provider.spec.ts has its core bank in a process of its own in either case.
 */
const withoutCoreBank = [
  ...["developers-accessibility", "docs-tpp", "openapi", "profile", "sandbox-workshop"],
  ...["tpp-certificate-command", "behind-tls-proxy", "request-log", "identity-provider"],
].map((name) => `${name}.spec.ts`);

export default defineConfig({
  testDir: ".",
  testIgnore: ["campaigns/**", ...(isCoreBankApart() ? withoutCoreBank : [])],
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
