import type { Page } from "@playwright/test";

/** What leads on to the TPP is answered with nothing, so that the page before it stays. */
export async function staysBefore(page: Page): Promise<void> {
  await page.route("**/auth/*", (route) => route.fulfill({ status: 204 }));
}
