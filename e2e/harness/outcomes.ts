import type { Page } from "@playwright/test";
import { carryOutcome, type Outcome, type OwnOutcome } from "@/lib/psu/outcome";
import { readSandboxSecret } from "@/lib/server/data-folder";
import type { ServerSettings } from "./server";

/**
 * The page is shown again and says what came of the last answer, as the server has it said: what only a crowd or a
 * whole network brings about can be looked at so.
 */
export function outcomesAt(page: Page, { dataDir, webUrl }: ServerSettings) {
  const config = async () => ({
    SESSION_SECRET: await readSandboxSecret(dataDir, "SESSION_SECRET"),
    WEB_URL: webUrl,
  });

  async function showAgain(setCookie: string): Promise<void> {
    const [, name = "", value = "", path = "/"] =
      /^([^=]+)=([^;]*);.*\bPath=([^;]*)/i.exec(setCookie) ?? [];
    const domain = new URL(webUrl).hostname;
    await page.context().addCookies([{ name, value, domain, path }]);
    await page.reload();
  }

  return {
    atSignIn: async (outcome: OwnOutcome) =>
      showAgain(await carryOutcome({ path: "/sign-in", config: await config() }, outcome)),
    atRequest: async (outcome: Outcome) => {
      const [, uid = ""] = /\/authorise\/([\w-]+)/.exec(page.url()) ?? [];
      const path = `/authorise/${uid}`;
      await showAgain(await carryOutcome({ path, config: await config() }, outcome));
    },
  };
}
