import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConsentRequest } from "@/cli/tpp/wire";
import { later } from "./bank-time";
import { type BankClock, bankClock, goingBy } from "./clock";
import { freshSettings, type ServerSettings, startServer } from "./server";
import { test as base, expect } from "./test";
import type { Asked, Grant } from "./test-tpp";

export { expect };

/** When the PSU confirmed: no earlier and no later than this. */
export type Between = { readonly earliest: Date; readonly latest: Date };

type ClockFixtures = {
  readonly clock: BankClock;
  /** The PSU confirms at this instant of the bank's clock and comes back to the TPP with a code. */
  readonly confirmAt: (instant: Date, request?: ConsentRequest) => Promise<Confirmed>;
  /** The same, and the TPP has its token. */
  readonly authoriseAt: (instant: Date, request?: ConsentRequest) => Promise<Grant & Between>;
};
type Confirmed = Between & { readonly asked: Asked; readonly cameBack: URL };

/**
 * The specs of the clock move it for everybody who uses the bank, so they have a bank of their own;
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

  confirmAt: async ({ tpp, psu, clock }, use) =>
    use(async (instant, request) => {
      await clock.set(later(instant, { minutes: -1 }));
      const asked = await tpp.ask(request);
      await psu.open(asked.request.url);
      await psu.signIn("ana");
      await psu.chooseAll();
      const code = await psu.codeFor("ana", tpp.name);
      await clock.set(instant);
      await psu.confirm(code);
      const cameBack = await tpp.listener.next(60_000);
      await psu.page.waitForURL(cameBack.href);
      return { asked, cameBack, earliest: instant, latest: clock.now() };
    }),

  authoriseAt: async ({ confirmAt }, use) =>
    use(async (instant, request) => {
      const { asked, cameBack, ...between } = await confirmAt(instant, request);
      const token = await asked.server.token(cameBack, asked.request);
      const { consentId } = asked;
      return { consentId, accessToken: token.accessToken, asked, token, ...between };
    }),
});
