import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { Agent, request } from "undici";
import { ACR_LOGIN, ACR_SCA, DETAILS_TYPE, type Fault } from "@/cli/identity-provider/provider";
import { startProgram } from "./core-bank";
import type { UserId } from "./psu";
import { steadyPort } from "./steady-port";

export type RunningProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

type Options = { readonly webUrl: string; readonly ciba?: "poll" | "ping"; readonly port?: number };

/** As `npm run identity-provider` does it; resolves when it may be called. */
export async function startIdentityProvider(
  dataDir: string,
  { webUrl, ciba = "poll", port }: Options,
) {
  const own = port ?? (await steadyPort());
  const issuer = `https://localhost:${own}`;
  const where = ["--port", `${own}`, "--data", dataDir, "--web-url", webUrl];
  const program = ["cli/identity-provider/cli.ts", ...where, "--ciba", ciba, "--test-controls"];
  const stop = await startProgram(program, "The identity provider is ready");
  const ca = join(dataDir, "ca.pem");
  const controls = await controlsOf(dataDir, issuer);
  return {
    port: own,
    issuer,
    settings: {
      PSU_LOGIN: "oidc",
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: "drawbridge",
      IDP_CLIENT_KEY: join(dataDir, "client-key.pem"),
      IDP_CA: ca,
      IDP_ACR_LOGIN: ACR_LOGIN,
      IDP_ACR_SCA: ACR_SCA,
      IDP_AUTHORIZATION_DETAILS: DETAILS_TYPE,
      IDP_CIBA: ciba,
    },
    setFault: controls.setFault,
    stop: async () => {
      await stop();
      await controls.close();
    },
  };
}

/** What a test may do to a provider whose files are in this folder. */
export async function controlsOf(dataDir: string, issuer: string) {
  const ca = await readFile(join(dataDir, "ca.pem"), "utf8");
  const dispatcher = new Agent({ connect: { ca } });
  return {
    /** Of its next answer. */
    setFault: async (fault: Fault) => {
      const body = JSON.stringify(fault);
      const sent = await request(`${issuer}/control`, { method: "POST", body, dispatcher });
      expect(sent.statusCode).toBe(204);
    },
    close: () => dispatcher.close(),
  };
}

/** A customer at the provider's pages, in any language. */
export function customerAt(page: Page) {
  const signIn = async (userId: UserId) => {
    await page.locator("input[name=userId]").fill(userId);
    await page.locator("input[name=password]").fill(`${userId}-sandbox`);
    const token = page.locator("input[name=code]");
    if (await token.isVisible()) {
      const shown = await page.locator("label", { has: token }).textContent();
      await token.fill(/\d{6}/.exec(shown ?? "none")?.[0] ?? "none");
    }
    await page.locator("main button").first().click();
  };
  return {
    signIn,
    refuse: () => page.locator("button[value=refuse]").click(),
    /** What the provider asks to approve. */
    shown: page.locator(".what"),
  };
}

/** The bank's app, on the customer's phone: a page of its own. */
export function appOf(page: Page, issuer: string) {
  return {
    open: async (userId: UserId) => {
      await page.goto(`${issuer}/app`);
      if (await page.locator("input[name=userId]").isVisible()) {
        await customerAt(page).signIn(userId);
      }
    },
    /** Of the request with this reference, which the page of the bank shows too. */
    answer: async (reference: string, answer: "confirm" | "refuse") => {
      await page.goto(`${issuer}/app`);
      const asked = page.locator("li", { hasText: reference });
      await asked.locator(`button[value=${answer}]`).click();
      await expect(asked).toHaveCount(0);
    },
    requests: page.locator("li"),
  };
}
