import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";

export type UserId = "ana" | "mihai" | "elena" | "dan" | "vlad";

const EMPTY = "about:blank";

type Message = { readonly sentAt: string; readonly text: string; readonly code: string };

export type Psu = ReturnType<typeof psuAt>;

/** A PSU at the bank's pages, who finds fields and buttons by their accessible names. */
export function psuAt(page: Page, webUrl: string) {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const password = page.getByLabel("Password", { exact: true });
  const code = page.getByLabel("Code", { exact: true });
  const accounts = page.getByRole("checkbox", { name: /RO\d{2}/ });

  const selectAll = page.getByRole("checkbox", { name: "Select all", exact: true });

  async function signIn(userId: string, word = `${userId}-sandbox`): Promise<void> {
    await page.getByLabel("User ID", { exact: true }).fill(userId);
    await password.fill(word);
    await button("Continue").click();
  }

  async function chooseAll(): Promise<void> {
    await expect(accounts.first()).toBeVisible();
    await selectAll.check();
    await button("Continue").click();
    await expect(code).toBeVisible();
  }

  /** Only these; each text is part of the checkbox's name. */
  async function choose(...texts: readonly string[]): Promise<void> {
    await expect(accounts.first()).toBeVisible();
    for (const account of await accounts.all()) await account.uncheck();
    for (const part of texts) await page.getByRole("checkbox", { name: part }).check();
    await button("Continue").click();
    await expect(code).toBeVisible();
  }

  const codeFor = (userId: UserId, tppName: string) => newestCodeFor(webUrl, userId, tppName);

  async function confirm(typed: string): Promise<void> {
    await code.fill(typed);
    await button("Confirm").click();
  }

  /** Where the account is fixed, the login leads straight to the page with the code. */
  async function signInToCode(userId: UserId): Promise<void> {
    await signIn(userId);
    await expect(code).toBeVisible();
  }

  return {
    page,
    open: (url: URL) => visit(page, url.href),
    fields: { userId: page.getByLabel("User ID", { exact: true }), password, code, accounts },
    continueButton: button("Continue"),
    confirmButton: button("Confirm"),
    cancelButton: button("Cancel"),
    selectAll: () => selectAll.check(),
    selectAllBox: selectAll,
    signIn,
    chooseAll,
    choose,
    codeFor,
    confirm,
    /** The browser has arrived at the TPP and may be sent elsewhere. */
    isBackAt: (url: URL) => page.waitForURL(url.href),
    cancel: async () => {
      await button("Cancel").click();
    },
    /** The one button of a page on which nothing is left to do. */
    wayBack: page.getByRole("button", { name: /^Back to / }),
    /** From the bank's first page to the confirmed summary. */
    agree: async (userId: UserId, tppName: string) => {
      const before = await messagesOn(webUrl, userId);
      await signIn(userId);
      await chooseAll();
      await confirm(await newestCodeFor(webUrl, userId, tppName, before));
    },
    signInToCode,
    /** From the bank's first page to the confirmed payment or funds consent. */
    agreeAtOnce: async (userId: UserId, tppName: string) => {
      const before = await messagesOn(webUrl, userId);
      await signInToCode(userId);
      await confirm(await newestCodeFor(webUrl, userId, tppName, before));
    },
    /** What the page says under one of its terms. */
    term: (label: string) =>
      page
        .locator("dt", { hasText: new RegExp(`^${label}$`) })
        .locator("xpath=following-sibling::dd[1]"),
  };
}

/** What is on the PSU's phone. */
export async function messagesOn(webUrl: string, userId: UserId): Promise<readonly Message[]> {
  const answer = await fetch(`${webUrl}/sandbox/messages?psu=${userId}`);
  return (await answer.json()) as readonly Message[];
}

/**
 * The latest code on the PSU's phone that was sent for this TPP and was not there `before`: the page that asks for it may
 * be there first.
 */
export async function newestCodeFor(
  webUrl: string,
  userId: UserId,
  tppName: string,
  before: readonly Message[] = [],
): Promise<string> {
  const wasThere = ({ sentAt, text }: Message) =>
    before.some((known) => known.sentAt === sentAt && known.text === text);
  for (let tries = 0; tries < 300; tries += 1) {
    const messages = await messagesOn(webUrl, userId);
    const found = messages.find((one) => one.text.includes(tppName) && !wasThere(one));
    if (found !== undefined) return found.code;
    await sleep(100);
  }
  throw new Error(`no text message for ${tppName} on the phone of ${userId}`);
}

/**
 * A TPP has its code before its own page is shown, and that page may still replace the one that is asked for here. So an
 * empty page is asked for first: once it is shown, nothing else is loading.
 */
async function visit(page: Page, url: string): Promise<void> {
  try {
    await page.goto(EMPTY);
  } catch (error) {
    if (!String(error).includes("interrupted by another navigation")) throw error;
    await page.waitForURL(EMPTY);
  }
  await page.goto(url);
}
