import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import type { UserId } from "./psu";

type Message = { readonly text: string; readonly code: string };

/** A PSU at the bank's own channel, in English. */
export function ownChannelAt(page: Page, webUrl: string) {
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  async function typePassword(userId: string, word = `${userId}-sandbox`): Promise<void> {
    await page.getByLabel("User ID", { exact: true }).fill(userId);
    await page.getByLabel("Password", { exact: true }).fill(word);
    await button("Continue").click();
  }

  /** The code of the sign-in on this page, which the message names by its reference. */
  async function code(userId: UserId): Promise<string> {
    const hint = page.getByText(/has the reference [0-9A-F]{4}\./);
    const [, reference] = /reference ([0-9A-F]{4})/.exec(String(await hint.textContent())) ?? [];
    for (let tries = 0; tries < 300; tries += 1) {
      const answer = await fetch(`${webUrl}/sandbox/messages?psu=${userId}`);
      const messages = (await answer.json()) as readonly Message[];
      const found = messages.find(({ text }) => text.includes(`Reference ${reference}.`));
      if (found !== undefined) return found.code;
      await sleep(100);
    }
    throw new Error(`no text message ${reference} on the phone of ${userId}`);
  }

  /** From any page of the channel, by both elements, to the one that was asked for. */
  async function signIn(userId: UserId, to = "/permissions"): Promise<void> {
    await page.goto(webUrl + to);
    await typePassword(userId);
    await page.getByLabel("Code", { exact: true }).fill(await code(userId));
    await button("Sign in").click();
    await expect(page).toHaveURL(webUrl + to);
  }

  /** A visit of another page before this one is there would cut the request off. */
  async function signOut(): Promise<void> {
    await button("Sign out").click();
    await expect(page.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  }

  /** Looks for this provider's entries in the list, whatever has become of them. */
  async function find(tppName: string, state: "In force" | "Not in force" | "All" = "All") {
    await page.getByLabel("Provider, IBAN or payee").fill(tppName);
    await page.getByLabel("Status").selectOption(state);
    await button("Search").click();
    await expect(page.getByRole("heading", { name: state, exact: true })).toBeVisible();
    return page.getByRole("region", { name: `“${tppName}”`, exact: true });
  }

  return {
    page,
    find,
    typePassword,
    code,
    signIn,
    signOut,
  };
}
