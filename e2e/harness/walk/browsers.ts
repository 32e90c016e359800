import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Frame, Page, Request } from "@playwright/test";
import { type BankClock, bankClock } from "../clock";
import type { ServerSettings } from "../server";
import { testTpp } from "../test-tpp";
import { type AsksFor, asking, type CallbackServer, callbackServer } from "./asking";
import { givePasskey, type People, people, type Walker } from "./people";

export type Setting = {
  readonly bank: { readonly webUrl: string; readonly xs2aUrl: string };
  readonly tppName: string;
  readonly clock: BankClock;
  readonly callbacks: CallbackServer;
  readonly people: People;
  readonly asksFor: AsksFor;
};

export type Walkers = {
  readonly context: BrowserContext;
  readonly tabs: readonly [Tab, Tab];
  readonly walker: Walker;
  /** Somebody else at the same browser. */
  readonly passerBy: Walker;
  readonly javaScript: boolean;
  /** The walker has one in each tab. */
  readonly passkeys: boolean;
};

export type OpenBrowsers = {
  readonly setting: Setting;
  readonly browsers: readonly Walkers[];
  readonly close: () => Promise<void>;
};

/** No page is looked at, so none is drawn larger than it must be. */
const SMALL = { width: 320, height: 240 };

/** Browsers of people whom nobody else's tests know, and one TPP that asks all of them. */
export async function openBrowsers(
  browser: Browser,
  bank: ServerSettings,
  count: number,
): Promise<OpenBrowsers> {
  const tpp = await testTpp({ bank });
  const callbacks = await callbackServer();
  const staff = await people(bank);
  const clock = bankClock(bank);
  const setting = {
    bank,
    tppName: tpp.name,
    clock,
    callbacks,
    people: staff,
    asksFor: asking({ tpp, clock, callbacks, people: staff }),
  };
  const browsers: Walkers[] = [];
  for (let at = 0; at < count; at += 1) browsers.push(await walkers(browser, bank, staff, at));
  const close = async () => {
    await Promise.all(browsers.map(({ context }) => context.close()));
    await staff.close();
    await callbacks.close();
    await tpp.close();
  };
  return { setting, browsers, close };
}

/** Every other one has JavaScript, one of them passkeys, and half of them read Romanian. */
async function walkers(
  browser: Browser,
  { webUrl }: ServerSettings,
  staff: People,
  at: number,
): Promise<Walkers> {
  const javaScript = at % 2 === 0;
  const passkeys = at === 0;
  const locale = at % 4 < 2 ? "en-GB" : "ro-RO";
  const options = { javaScriptEnabled: javaScript, locale, viewport: SMALL };
  const context = await browser.newContext(options);
  const tabs = [await openTab(context, webUrl), await openTab(context, webUrl)] as const;
  const walker = await staff.add(`walker-${at}`);
  const passerBy = await staff.add(`passer-by-${at}`);
  if (passkeys) for (const tab of tabs) await givePasskey(staff, walker, tab.page);
  return { context, tabs, walker, passerBy, javaScript, passkeys };
}

/** A step that takes longer than this hangs; in milliseconds, and generous for a busy machine. */
const PATIENCE = 60_000;
const LOOK_EVERY = 4;
/** No page of a walk is looked at. */
const NOT_LOADED = ["*.css*", "*.woff2*", "*.ico*", "*.svg*"];

export type Tab = {
  readonly page: Page;
  /** Does something that leads to another page, and waits until the browser has come to rest on it. */
  readonly leads: (act: () => Promise<unknown>) => Promise<Journey>;
  /** As if it had just been opened: there is nothing to go back to. */
  readonly startsAfresh: () => Promise<void>;
};

/** Which address was asked for first, and what was not as a bank's answer has to be. */
type Journey = { readonly from: URL | undefined; readonly faults: readonly string[] };

/** A tab that knows when it has come to rest, redirects and the page that leads on included. */
async function openTab(context: BrowserContext, bankUrl: string): Promise<Tab> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.setBlockedURLs", { urls: NOT_LOADED });
  const under = new Set<Request>();
  let asked: Request[] = [];
  let faults: string[] = [];
  let loaded = 0;

  const isOwn = (request: Request) =>
    request.isNavigationRequest() && frameOf(request) === page.mainFrame();
  page.on("request", (request) => {
    if (!isOwn(request)) return;
    under.add(request);
    asked.push(request);
    loaded = 0;
  });
  const over = (request: Request) => {
    under.delete(request);
  };
  page.on("requestfinished", over);
  page.on("requestfailed", over);
  page.on("domcontentloaded", () => {
    loaded += 1;
  });
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const status = response.status();
    if (!response.url().startsWith(bankUrl)) return;
    // Of a request that is over or another browser's: what its page says is judged as that of any other.
    const isGone = status === 404 && /^\/authorise\/[\w-]+$/.test(pathname);
    const fine = isGone || status === 200 || status === 303 || status === 307 || status === 302;
    if (status >= 500 || (isOwn(response.request()) && !fine)) faults.push(`${pathname} ${status}`);
  });

  const isAtRest = () =>
    asked.length > 0 && under.size === 0 && loaded > 0 && !isOnTheWay(page.url(), bankUrl);

  return {
    page,
    startsAfresh: async () => {
      await page.goto("about:blank");
      await cdp.send("Page.resetNavigationHistory");
    },
    leads: async (act) => {
      [asked, faults, loaded] = [[], [], 0];
      const moved = await act();
      // There was nothing to go back to.
      if (moved === null && asked.length === 0) return { from: undefined, faults };
      const end = Date.now() + PATIENCE;
      while (!isAtRest()) {
        if (Date.now() > end)
          return { from: undefined, faults: [...faults, `hangs at ${page.url()}`] };
        await sleep(LOOK_EVERY);
      }
      const first = asked[0];
      return { from: first && new URL(first.url()), faults };
    },
  };
}

/** The bank's page that leads on to the TPP, by itself. */
function isOnTheWay(url: string, bankUrl: string): boolean {
  return url.startsWith(`${bankUrl}/authorise/leaving/`);
}

/** A request of a page that is gone already has no frame to name. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}
