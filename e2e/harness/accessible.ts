import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

/** Half the size of what the package exports, and of the time a page takes to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 at level AA, and what axe holds to be good practice besides. */
const LEVEL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** In other colours a page is the same but for its colours. */
const RULES = {
  light: { type: "tag", values: LEVEL },
  dark: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
} as const;

/** Light and dark. `part` names what is looked at where a page is too long for all of it. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  const light = await look(page, "light", part);
  const dark = await look(page, "dark", part);
  await page.emulateMedia({ colorScheme: "light" });
  expect({ light: light.violations, dark: dark.violations }).toEqual({ light: [], dark: [] });
  // Else the same colours were looked at twice.
  expect(dark.background).not.toBe(light.background);
}

/** Where the same page is looked at in the dark elsewhere, with no other colours. */
export async function expectAccessibleInLight(page: Page): Promise<void> {
  expect((await look(page, "light", "html")).violations).toEqual([]);
}

type Look = { readonly violations: readonly string[]; readonly background: string };

async function look(page: Page, colorScheme: "light" | "dark", part: string): Promise<Look> {
  // A form or link may just have been followed.
  await page.waitForLoadState();
  await page.emulateMedia({ colorScheme });
  // Once for each page.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = {
    runOnly: RULES[colorScheme],
    // A provider may be on one page twice: in force and past.
    ...(colorScheme === "light" && { rules: { "landmark-unique": { enabled: false } } }),
    resultTypes: ["violations"],
    // Of style sheets from elsewhere, of which there are none.
    preload: false,
  };
  return page.evaluate<Look>(`
    axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations }) => ({
      violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)),
      background: getComputedStyle(document.body).backgroundColor,
    }))`);
}

/** WCAG 1.4.10: no page has to be scrolled in two directions. */
export async function expectReflow(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  expect(await overflow()).toBeLessThanOrEqual(0);
}

/** WCAG 1.4.4: the same with letters of twice the size. */
export async function expectReflowOfLargeText(page: Page): Promise<void> {
  const letters = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
  await letters("200%");
  await expectReflow(page);
  await letters("");
}
