import type { Page } from "@playwright/test";

/** What a page has for whoever reads it or hears it read out, by roles and names. */
export type Reading = {
  readonly lang: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly buttons: readonly string[];
  readonly links: readonly string[];
  readonly fields: readonly string[];
  readonly text: string;
};

export function readPage(page: Page): Promise<Reading> {
  return page.evaluate(() => {
    const plain = (text: string | null) => (text === null ? "" : text.replace(/\s+/g, " ").trim());
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const names = (selector: string) =>
      shown(selector).map((element) => plain(element.textContent));
    return {
      lang: document.documentElement.lang,
      title: document.title,
      headings: names("h1"),
      buttons: names("button"),
      links: names("a[href]"),
      fields: names("label"),
      // biome-ignore lint/performance/useDomNodeTextContent: only what is shown is said
      text: plain(document.body.innerText),
    };
  });
}
