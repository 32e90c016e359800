import type { Permission } from "@/clients/typescript/src";
import {
  agree,
  answerForm,
  authoriseAsPsu,
  browsing,
  fetchAlone,
  type Page,
} from "@/tools/psu-by-forms";
import { messagesOn, newestCodeFor, type Psu, type UserId } from "./psu";
import type { Asked } from "./test-tpp";

/**
 * The same person with the same pages, forms and cookies but no browser, for those tests that are about what comes
 * of it: what a browser makes of the pages is for those in psu/, at ten times the price.
 */
export type PsuByForms = Pick<Psu, "open" | "cancel"> & {
  /** From the bank's first page to the confirmed summary; `beforeConfirm` runs when the code has come. */
  readonly agree: (
    userId: UserId,
    tppName: string,
    beforeConfirm?: () => Promise<void>,
  ) => Promise<void>;
  readonly agreeAtOnce: Psu["agreeAtOnce"];
};

export function psuByForms(webUrl: string): PsuByForms {
  const bank = new URL(webUrl).origin;
  const isElsewhere = ({ origin }: URL) => origin !== bank;
  const browser = browsing(isElsewhere);
  let here: Page | undefined;

  async function arrive(page: Page): Promise<void> {
    here = page;
    if (isElsewhere(page.url)) await (await fetchAlone(page.url)).text();
  }
  function shown(): Page {
    if (here === undefined) throw new Error("the PSU has opened no page");
    return here;
  }
  const agreed: PsuByForms["agree"] = async (userId, tppName, beforeConfirm) => {
    const before = await messagesOn(webUrl, userId);
    const code = async () => {
      const found = await newestCodeFor(webUrl, userId, tppName, before);
      await beforeConfirm?.();
      return found;
    };
    const password = `${userId}-sandbox`;
    await arrive(await agree(browser, shown(), { userId, password, code }));
  };
  return {
    open: async (url) => arrive(await browser.open(url)),
    agree: agreed,
    agreeAtOnce: agreed,
    cancel: async () => arrive(await answerForm(browser, shown(), "Cancel", () => [])),
  };
}

/** What ana has authorised, as it is shown with each call: the access token is refreshed once it is as old as this. */
export async function heldConsent(
  { consentId, server, request }: Asked,
  { redirectUri, webUrl }: { readonly redirectUri: string; readonly webUrl: string },
  refreshAfterMs: number,
  now = () => new Date(),
): Promise<() => Promise<Permission>> {
  const back = await authoriseAsPsu(request.url, redirectUri, webUrl);
  let token = await server.token(back, request);
  let since = now().getTime();
  return async () => {
    const { refreshToken } = token;
    if (refreshToken !== undefined && now().getTime() - since >= refreshAfterMs) {
      token = { refreshToken, ...(await server.refresh(refreshToken)) };
      since = now().getTime();
    }
    return { consentId, accessToken: token.accessToken };
  };
}
