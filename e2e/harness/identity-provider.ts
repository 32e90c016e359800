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
  const dispatcher = new Agent({ connect: { ca: await readFile(ca, "utf8") } });
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
    /** Of its next answer. */
    setFault: async (fault: Fault) => {
      const body = JSON.stringify(fault);
      const { statusCode } = await request(`${issuer}/control`, {
        method: "POST",
        body,
        dispatcher,
      });
      expect(statusCode).toBe(204);
    },
    stop: async () => {
      await stop();
      await dispatcher.close();
    },
  };
}

/** A customer at the provider's pages. */
export function customerAt(page: Page) {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  return {
    signIn: async (userId: UserId) => {
      await page.getByLabel("User ID").fill(userId);
      await page.getByLabel("Password").fill(`${userId}-sandbox`);
      const token = page.getByLabel(/Code of your token/);
      if (await token.isVisible()) {
        const label = await page.locator("label", { hasText: "Code of your token" }).textContent();
        await token.fill(/\d{6}/.exec(label ?? "none")?.[0] ?? "none");
      }
      await button("Continue").click();
    },
    refuse: () => button("Refuse").click(),
  };
}

/** The bank's app, on the customer's phone: a page of its own. */
export function appOf(page: Page, issuer: string) {
  return {
    open: async (userId: UserId) => {
      await page.goto(`${issuer}/app`);
      if (await page.getByLabel("User ID").isVisible()) await customerAt(page).signIn(userId);
    },
    shown: page.locator(".what"),
    answer: async (answer: "Confirm" | "Refuse") => {
      await page.reload();
      await page.getByRole("button", { name: answer, exact: true }).first().click();
    },
  };
}
