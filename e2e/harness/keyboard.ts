import { expect, type Locator, type Page } from "@playwright/test";

const STOPS_AT_MOST = 40;

/** A PSU without a mouse, who has to see where the focus is. */
export function keyboardAt({ page }: { readonly page: Page }) {
  const focused = page.locator("*:focus");

  /** WCAG 2.4.7 and 2.4.11: there is an outline, on the screen and with nothing above it. */
  async function expectFocusSeen(): Promise<void> {
    const seen = await focused.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { left, top, width, height } = element.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      return {
        outlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
        onTop: above !== null && element.contains(above),
      };
    });
    expect(seen, await focused.evaluate(({ outerHTML }) => outerHTML)).toEqual({
      outlined: true,
      onTop: true,
    });
  }

  /** On to this element, by Tab alone. */
  async function tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let stops = 0; stops < STOPS_AT_MOST; stops += 1) {
      await page.keyboard.press("Tab");
      await expectFocusSeen();
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`${target} is not reached`);
  }

  /** What Tab stops at from the top of the page to its end, by accessible names. */
  async function stops(): Promise<readonly string[]> {
    const names: string[] = [];
    await page.keyboard.press("Tab");
    while ((await focused.count()) > 0 && names.length < STOPS_AT_MOST) {
      await expectFocusSeen();
      names.push(await nameOf(focused));
      await page.keyboard.press("Tab");
    }
    return names;
  }

  return {
    focused,
    tabTo,
    stops,
    typeInto: async (field: Locator, text: string) => {
      await tabTo(field);
      await page.keyboard.type(text);
    },
    press: (key: "Enter" | "Space") => page.keyboard.press(key),
  };
}

/** From `- button "Continue"`, as the accessibility tree has it. */
async function nameOf(element: Locator): Promise<string> {
  const snapshot = await element.ariaSnapshot();
  return /"([^"]*)"/.exec(snapshot)?.[1] ?? snapshot;
}
