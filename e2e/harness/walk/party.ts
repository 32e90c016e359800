import type { Browser } from "@playwright/test";
import { bankClock } from "../clock";
import type { ServerSettings } from "../server";
import { testTpp } from "../test-tpp";
import { asking } from "./asking";
import { openDoor } from "./door";
import type { Setting, Walkers } from "./lane";
import { givePasskey } from "./passkey";
import { type People, people } from "./people";
import { openTab } from "./tab";

export type Party = {
  readonly setting: Setting;
  readonly browsers: readonly Walkers[];
  readonly close: () => Promise<void>;
};

/** No page is looked at, so none is drawn larger than it must be. */
const SMALL = { width: 320, height: 240 };

/** Browsers of people whom nobody else's tests know, and one TPP that asks all of them. */
export async function party(browser: Browser, bank: ServerSettings, count: number): Promise<Party> {
  const tpp = await testTpp({ bank });
  const door = await openDoor();
  const staff = await people(bank);
  const clock = bankClock(bank);
  const setting = {
    bank,
    tppName: tpp.name,
    clock,
    door,
    people: staff,
    asksFor: asking({ tpp, clock, door, people: staff }),
  };
  const browsers: Walkers[] = [];
  for (let at = 0; at < count; at += 1) browsers.push(await walkers(browser, bank, staff, at));
  const close = async () => {
    await Promise.all(browsers.map(({ context }) => context.close()));
    await staff.close();
    await door.close();
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
  if (passkeys) for (const tab of tabs) await givePasskey(staff, walker, tab);
  return { context, tabs, walker, passerBy, javaScript, passkeys };
}
