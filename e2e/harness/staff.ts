import { expect, type Page } from "@playwright/test";

export type DemoOperator = "ioana" | "radu";

/** An operator at the staff console of a sandbox. */
export function staffAt(page: Page, staffUrl: string) {
  return {
    page,
    open: (path: string) => page.goto(staffUrl + path),
    signIn: async (operator: DemoOperator, to = "/staff"): Promise<void> => {
      await page.goto(staffUrl + to);
      await page.getByLabel("User", { exact: true }).fill(operator);
      await page.getByLabel("Password", { exact: true }).fill(`${operator}-sandbox`);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect(page).toHaveURL(staffUrl + to);
    },
    signOut: () => page.getByRole("button", { name: "Sign out", exact: true }).click(),
  };
}
