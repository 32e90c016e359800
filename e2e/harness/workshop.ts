import { expect, type Page } from "@playwright/test";
import type { TppCertificates } from "@/cli/tpp/certificates";

/** The workshop's forms, as a person fills them in. */
export const workshop = (page: Page, webUrl: string) => ({
  open: () => page.goto(`${webUrl}/sandbox/workshop`),
  explain: async (request: string, certificate = "") => {
    await page.getByLabel("Request", { exact: true }).fill(request);
    await page.getByLabel("QWAC (optional)").fill(certificate);
    await page.getByRole("button", { name: "Explain" }).click();
  },
  issue: async (defect: string, id = "PSDRO-NBR-2468024") => {
    await page.getByLabel("Organisation identifier").fill(id);
    await page.getByLabel("Defect", { exact: true }).selectOption(defect);
    await page.getByRole("button", { name: "Make certificates" }).click();
    await expect(page.getByRole("heading", { name: "The certificates are made" })).toBeVisible();
  },
  issued: async (): Promise<TppCertificates> => {
    const text = (name: string) => page.getByLabel(name, { exact: true }).inputValue();
    return {
      qwac: { pem: await text("qwac.pem"), key: await text("qwac.key") },
      qseal: { pem: await text("qseal.pem"), key: await text("qseal.key") },
      ca: await text("ca.pem"),
    };
  },
});
