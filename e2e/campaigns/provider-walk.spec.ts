import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import type { Fault } from "@/cli/identity-provider/provider";
import { granted } from "@/clients/typescript/src";
import { appOf, customerAt } from "../harness/identity-provider";
import { type Production, startProduction } from "../harness/production";
import type { UserId } from "../harness/psu";
import { expect, test } from "../harness/test";
import { type AskedToPay, type TestTpp, testTpp } from "../harness/test-tpp";

// Payments whose PSUs go any way through the bank's pages, the provider's and the app, while the provider answers wrongly
// now and then. The random walk beside this has the pages of a bank without a provider; `npm run walk` takes both.

const { PROVIDER_STEPS = "100", WALK_SEED } = process.env;
const STEPS = Number(PROVIDER_STEPS);
const SEED = WALK_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(WALK_SEED);
/** Then the PSU gives up, by the way that every page has. */
const STEPS_OF_ONE = 25;
const LAST_STEPS = 6;

test.setTimeout(300_000 + STEPS * 3_000);
test.use({ ignoreHTTPSErrors: true, actionTimeout: 20_000, navigationTimeout: 20_000 });

const faults: readonly Fault[] = [
  { idToken: { nonce: "another" } },
  { idToken: { acr: "urn:other" } },
  { idToken: { auth_time: 1_700_000_000 } },
  { idToken: { authorization_details: [] } },
  { iss: "https://evil.example" },
  { tokenStatus: 500 },
  { tokenDelayMs: 1_500 },
];

/** The same numbers for the same seed (mulberry32). */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    of: <One>(choices: readonly One[]): One | undefined =>
      choices[Math.floor(next() * choices.length)],
  };
}

type Chance = ReturnType<typeof random>;
type Walk = {
  readonly page: Page;
  readonly phone: Page;
  readonly production: Production;
  readonly chance: Chance;
  /** Requests for a page of which the answer is not yet there: the TPP may be told by one of them. */
  readonly loading: ReadonlySet<Request>;
  /** Whether ana may have agreed: in the app, or at the provider's page with what it asks for. */
  mayHaveAgreed: boolean;
};

test(`never captive: ${STEPS} random steps through the provider's pages and failures, and every walk ends at the TPP once`, async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-provider-walk-"));
  const production = await startProduction(join(folder, "bank"), "oidc,ciba");
  const tpp = await testTpp({ bank: production.bank });
  const chance = random(SEED);
  let steps = 0;
  for (let walks = 0; steps < STEPS; walks += 1) {
    // Without JavaScript, or the page of waiting leads on by itself while a step is taken, and the TPP is told of both.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: false });
    const page = await context.newPage();
    const walk = {
      page,
      loading: loadingOf(page),
      phone: await context.newPage(),
      production,
      chance,
      mayHaveAgreed: false,
    };
    await test.step(`walk ${walks} of seed ${SEED}`, async () => {
      const asked = await tpp.askToPay();
      await walk.page.goto(asked.request.url.href);
      steps += await wander(walk, tpp);
      await production.setFault({});
      await expectEndsOnce(walk, tpp, asked);
    });
    await context.close();
  }
  await tpp.close();
  await production.stop();
  await rm(folder, { recursive: true, force: true });
});

function loadingOf(page: Page): ReadonlySet<Request> {
  const loading = new Set<Request>();
  page.on("request", (request) => request.isNavigationRequest() && loading.add(request));
  page.on("requestfinished", (request) => loading.delete(request));
  page.on("requestfailed", (request) => loading.delete(request));
  return loading;
}

/** A request made while another's answer is on its way would tell the TPP of both. */
async function settled({ page, loading }: Walk): Promise<void> {
  await page.waitForTimeout(100);
  // The page that leads on to the TPP does so by itself.
  const isOver = () => loading.size === 0 && !page.url().includes("/authorise/leaving/");
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  await page.waitForLoadState("domcontentloaded");
}

const isAt = (page: Page, origin: string) => page.url().startsWith(origin);

async function wander(walk: Walk, tpp: TestTpp): Promise<number> {
  const { page, chance, production } = walk;
  for (let step = 1; step <= STEPS_OF_ONE; step += 1) {
    await settled(walk);
    if (isAt(page, tpp.listener.origin)) return step;
    // Before the first page there is nothing to do but to start over.
    if (page.url() === "about:blank") return step;
    if (chance.next() < 0.15) await production.setFault(chance.of(faults) ?? {});
    await (isAt(page, production.issuer) ? atProvider(walk) : atBank(walk));
  }
  return STEPS_OF_ONE;
}

async function atProvider(walk: Walk): Promise<void> {
  const { page, chance } = walk;
  const form = page.locator("input[name=userId]");
  const at = chance.next();
  // An address of a sign-in that is over shows no form.
  if (at < 0.15 || !(await form.isVisible())) return back(page);
  if (at < 0.25) return customerAt(page).refuse();
  if (at < 0.35) return signIn(page, "mihai");
  const approves = await customerAt(page).shown.isVisible();
  await signIn(page, "ana");
  walk.mayHaveAgreed ||= approves;
}

async function signIn(page: Page, userId: UserId): Promise<void> {
  await customerAt(page).signIn(userId);
}

async function back(page: Page): Promise<void> {
  await page.goBack({ waitUntil: "domcontentloaded" }).catch(() => undefined);
}

async function atBank(walk: Walk): Promise<void> {
  const { page, chance } = walk;
  const at = chance.next();
  if (at < 0.08) return back(page);
  if (at < 0.16) return void (await page.reload().catch(() => undefined));
  if (at < 0.3) return answerInApp(walk);
  // Neither the language, nor Cancel, which ends the walk.
  const ways = page.locator(
    'main button:visible:not([form="cancel"]), main a[href^="/authorise/"]:visible',
  );
  const count = await ways.count();
  if (count === 0) return;
  await ways.nth(Math.floor(chance.next() * count)).click();
}

async function answerInApp(walk: Walk): Promise<void> {
  const { phone, production, chance } = walk;
  await appOf(phone, production.issuer).open("ana");
  const buttons = phone.locator("li button");
  const count = await buttons.count();
  if (count > 0) {
    const button = buttons.nth(Math.floor(chance.next() * count));
    walk.mayHaveAgreed ||= (await button.getAttribute("value")) === "confirm";
    await button.click();
  }
}

/** Whatever the way was, the bank's page leads to the TPP, which is told once, and the truth. */
async function expectEndsOnce(walk: Walk, tpp: TestTpp, asked: AskedToPay): Promise<void> {
  const { page, mayHaveAgreed, production } = walk;
  for (let tries = 0; tries < LAST_STEPS; tries += 1) {
    await settled(walk);
    if (isAt(page, tpp.listener.origin)) break;
    // A page of waiting has two: "Cancel" and the way back to the TPP.
    const leave = page.locator('button[form="cancel"]').first();
    if (isAt(page, production.issuer) && (await page.locator("button[value=refuse]").isVisible()))
      await customerAt(page).refuse();
    else if (await leave.isVisible()) await leave.click();
    else await page.goto(asked.request.url.href);
  }
  const cameBack = await tpp.listener.next(30_000);
  const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
  const isPaid = transactionStatus !== "RJCT" && transactionStatus !== "RCVD";
  const said = `${cameBack.search}; the payment is ${transactionStatus}`;
  // The request that starts over is invalid_scope when the app has ended the payment's authorisation before it.
  if (cameBack.searchParams.get("error") === "invalid_scope")
    expect(transactionStatus, said).not.toBe("RCVD");
  else expect(cameBack.searchParams.has("code"), said).toBe(isPaid);
  if (isPaid) expect(mayHaveAgreed).toBe(true);
  await expect(tpp.listener.next(200)).rejects.toThrow();
}
