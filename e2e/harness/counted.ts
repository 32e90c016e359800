import type { Locator, Page } from "@playwright/test";

/** What a journey takes: pages on which something was done, clicks, and fields that were typed into. */
export type Count = { readonly pages: number; readonly clicks: number; readonly fields: number };

/** A PSU who does everything with the mouse but type, so that a field costs a click as well. */
export function counted(page: Page, webUrl: string) {
  let [shown, clicks, fields] = [0, 0, 0];
  const used = new Set<number>();

  page.on("response", (response) => {
    const redirects = response.status() >= 300 && response.status() < 400;
    const isOurs = response.url().startsWith(webUrl) && response.frame() === page.mainFrame();
    if (isOurs && !redirects && response.request().isNavigationRequest()) shown += 1;
  });

  async function click(target: Locator): Promise<void> {
    await target.click();
    clicks += 1;
  }

  /** Something is done on the page that is shown now. */
  async function use(target: Locator): Promise<void> {
    await target.waitFor();
    used.add(shown);
    await click(target);
  }

  async function type(field: Locator, text: string): Promise<void> {
    await use(field);
    fields += 1;
    await page.keyboard.type(text);
  }

  return {
    click: use,
    type,
    count: (): Count => ({ pages: used.size, clicks, fields }),
    /** The bank's pages that were shown, even if only in passing. */
    shown: () => shown,
  };
}
