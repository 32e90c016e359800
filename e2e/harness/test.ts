import { test as base, expect } from "@playwright/test";
import type { ConsentRequest, Exchange } from "@/clients/typescript/src";
import { contract, description } from "./contract";
import { formFaults } from "./exchange-form";
import { standard } from "./openapi";
import { type Psu, psuAt, type UserId } from "./psu";
import { type PsuByForms, psuByForms } from "./psu-by-forms";
import type { ServerSettings } from "./server";
import { type Asked, type Grant, type TestTpp, type TestTppOptions, testTpp } from "./test-tpp";

export { expect };

type WorkerFixtures = {
  readonly bank: ServerSettings;
  /** What was not as the standard has it, since it was last looked at. */
  readonly exchangeFaults: string[];
  readonly observe: (exchange: Exchange) => void;
  /** What the bank says of its own API (OpenAPI 3.1). */
  readonly api: object;
  /** Of a test that needs no organisation of its own: making keys takes time. */
  readonly organisation: Pick<TestTppOptions, "id" | "name" | "certificates">;
  readonly held: { readonly tpp: TestTpp; readonly show: () => Promise<Grant> };
};

type TestFixtures = {
  /** One authorised consent of ana for all who only read: recurring, with every right. */
  readonly shared: { readonly tpp: TestTpp; readonly grant: Grant };
  readonly newTpp: (options?: Partial<TestTppOptions>) => Promise<TestTpp>;
  readonly tpp: TestTpp;
  readonly psu: Psu;
  readonly psuByForms: PsuByForms;
  /** The whole journey: consent, authorisation by forms, token. */
  readonly authorise: (
    tpp: TestTpp,
    options?: { readonly userId?: UserId; readonly request?: ConsentRequest },
  ) => Promise<Grant>;
  readonly everyExchangeIsAsTheStandardHasIt: undefined;
};

/** Half of what a token lives for: on a busy machine the specs of a worker take longer. */
const REFRESH_MS = 5 * 60_000;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  bank: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const settings = process.env["E2E_SERVER"];
      if (settings === undefined) throw new Error("the specs need the server of the global setup");
      await use(JSON.parse(settings) as ServerSettings);
    },
    { scope: "worker" },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  exchangeFaults: [async ({}, use) => use([]), { scope: "worker" }],

  api: [async ({ bank }, use) => use(await description(bank)), { scope: "worker" }],

  observe: [
    async ({ exchangeFaults, api }, use) => {
      const standardFaults = standard();
      const contractFaults = contract(api);
      await use((exchange) => {
        exchangeFaults.push(
          ...formFaults(exchange),
          ...contractFaults(exchange),
          ...(standardFaults?.(exchange) ?? []),
        );
      });
    },
    { scope: "worker" },
  ],

  organisation: [
    async ({ bank }, use) => {
      const { id, name, certificates, close } = await testTpp({ bank });
      await close();
      await use({ id, name, certificates });
    },
    { scope: "worker" },
  ],

  held: [
    async ({ bank, observe }, use) => {
      const tpp = await testTpp({ bank, onExchange: observe });
      const asked = await tpp.ask({
        access: { allPsd2: "allAccountsWithOwnerName" },
        recurringIndicator: true,
        validUntil: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      });
      const psu = psuByForms(bank.webUrl);
      await psu.open(asked.request.url);
      await psu.agree("ana", tpp.name);
      let grant = await granted(tpp, asked);
      let since = Date.now();
      const show = async () => {
        const { refreshToken } = grant.token;
        if (refreshToken !== undefined && Date.now() - since >= REFRESH_MS) {
          const token = { refreshToken, ...(await asked.server.refresh(refreshToken)) };
          grant = { ...grant, token, accessToken: token.accessToken };
          since = Date.now();
        }
        return grant;
      };
      await use({ tpp, show });
      await tpp.close();
    },
    { scope: "worker", timeout: 300_000 },
  ],

  shared: async ({ held: { tpp, show } }, use) => use({ tpp, grant: await show() }),

  newTpp: async ({ bank, observe }, use) => {
    const made: TestTpp[] = [];
    await use(async (options = {}) => {
      const tpp = await testTpp({ bank, onExchange: observe, ...options });
      made.push(tpp);
      return tpp;
    });
    await Promise.all(made.map((tpp) => tpp.close()));
  },

  tpp: async ({ newTpp, organisation }, use) => use(await newTpp(organisation)),

  psu: async ({ page, bank }, use) => use(psuAt(page, bank.webUrl)),

  psuByForms: async ({ bank }, use) => use(psuByForms(bank.webUrl)),

  authorise: async ({ psuByForms: psu }, use) =>
    use(async (tpp, { userId = "ana", request } = {}) => {
      const asked = await tpp.ask(request);
      await psu.open(asked.request.url);
      await psu.agree(userId, tpp.name);
      return granted(tpp, asked);
    }),

  everyExchangeIsAsTheStandardHasIt: [
    async ({ exchangeFaults }, use) => {
      await use(undefined);
      expect(exchangeFaults.splice(0)).toEqual([]);
    },
    { auto: true },
  ],
});

async function granted(tpp: TestTpp, asked: Asked): Promise<Grant> {
  const token = await tpp.collect(asked);
  return { consentId: asked.consentId, accessToken: token.accessToken, asked, token };
}
