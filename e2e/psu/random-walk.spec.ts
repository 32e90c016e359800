import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { chromiumArguments } from "../harness/chromium";
import { freshSettings, startServer } from "../harness/server";
import { type Party, party } from "../harness/walk/party";
import { stroll } from "../harness/walk/stroll";

const { WALK_STEPS = "2000", WALK_SEED, WALK_PATH } = process.env;
const STEPS = Number(WALK_STEPS);
const SEED = WALK_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(WALK_SEED);
/** As many as keep two processors busy. */
const BROWSERS = 8;

/** For a browser in which thousands of pages are loaded and none is looked at. */
const LIGHT = [
  "--process-per-site",
  "--renderer-process-limit=1",
  "--in-process-gpu",
  "--disable-features=SpareRendererForSitePerProcess",
];

/** The walks move the clock for everybody who uses the bank, so they have one of their own. */
const test = base.extend<{ readonly walkers: Party }>({
  walkers: async ({ playwright, launchOptions }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-walk-"));
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    const args = [...chromiumArguments(), ...LIGHT];
    const browser = await playwright.chromium.launch({ ...launchOptions, args });
    const people = await party(browser, bank, BROWSERS);
    await use(people);
    await people.close();
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

test.use({ trace: "off" });
test.setTimeout(300_000 + STEPS * 300);

test(`never captive: ${STEPS} random steps, and every walk ends at the TPP or on a page that says why and what to do`, async ({
  walkers,
}) => {
  const { steps, found } = await stroll(walkers, { steps: STEPS, seed: SEED, path: WALK_PATH });
  expect(found).toBeUndefined();
  if (WALK_PATH === undefined) expect(steps).toBeGreaterThanOrEqual(STEPS);
});
