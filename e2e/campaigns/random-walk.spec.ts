import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { freshSettings, startServer } from "../harness/server";
import { type OpenBrowsers, openBrowsers } from "../harness/walk/browsers";
import { walkAtRandom } from "../harness/walk/random-walks";

const { WALK_STEPS = "200", WALK_SEED, WALK_PATH } = process.env;
const STEPS = Number(WALK_STEPS);
const SEED = WALK_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(WALK_SEED);
/** As many as keep two processors busy. */
const BROWSERS = 8;

/** The walks move the clock for all clients of the bank, so they have a bank of their own. */
const test = base.extend<{ readonly walkers: OpenBrowsers }>({
  walkers: async ({ playwright, launchOptions }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-walk-"));
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    const browser = await playwright.chromium.launch(launchOptions);
    const people = await openBrowsers(browser, bank, BROWSERS);
    await use(people);
    await people.close();
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

test.setTimeout(300_000 + STEPS * 300);

test(`never captive: ${STEPS} random steps, and every walk ends at the TPP or on a page that says why and what to do`, async ({
  walkers,
}) => {
  const wanted = { steps: STEPS, seed: SEED, path: WALK_PATH };
  const { steps, found } = await walkAtRandom(walkers, wanted);
  expect(found).toBeUndefined();
  if (WALK_PATH === undefined) expect(steps).toBeGreaterThanOrEqual(STEPS);
});
