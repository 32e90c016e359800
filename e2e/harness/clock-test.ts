import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConsentRequest } from "@/clients/typescript/src";
import { later } from "./bank-time";
import { type BankClock, bankClock, goingBy } from "./clock";
import { freshSettings, type ServerSettings, startServer } from "./server";
import { test as base, expect } from "./test";
import type { Grant } from "./test-tpp";

export { expect };

/** When the PSU confirmed: no earlier and no later than this. */
export type Between = { readonly earliest: Date; readonly latest: Date };

type ClockFixtures = {
  readonly clock: BankClock;
  /** The PSU confirms at this instant of the bank's clock, and the TPP has its token. */
  readonly authoriseAt: (instant: Date, request?: ConsentRequest) => Promise<Grant & Between>;
};

/**
 * The specs of the clock move it for all clients of the bank, so they have a bank of their own;
 * its TPPs sign with its time.
 */
export const test = base.extend<ClockFixtures, { readonly bank: ServerSettings }>({
  bank: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-clock-"));
      const settings = await freshSettings(dataDir);
      const server = await startServer(settings);
      await use(settings);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],

  clock: async ({ bank }, use) => {
    const clock = bankClock(bank);
    await use(clock);
    await clock.reset();
  },

  tpp: async ({ newTpp, organisation, clock }, use) =>
    use(goingBy(clock, await newTpp(organisation))),

  authoriseAt: async ({ tpp, psuByForms: psu, clock }, use) =>
    use(async (instant, request) => {
      await clock.set(later(instant, { minutes: -1 }));
      const asked = await tpp.ask(request);
      await psu.open(asked.request.url);
      await psu.agree("ana", tpp.name, () => clock.set(instant));
      const latest = clock.now();
      const token = await tpp.collect(asked);
      const { consentId } = asked;
      return { consentId, accessToken: token.accessToken, asked, token, earliest: instant, latest };
    }),
});
