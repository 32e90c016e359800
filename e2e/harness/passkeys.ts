import { expect, type Page, type Request } from "@playwright/test";

/** No other spec uses this PSU: the PSUs of others have to be sent a code at once. */
export const PASSKEY_PSU = "vlad";
export const VLAD_CURRENT = "RO86DRWB0001000000000601";

/** Chromium's virtual authenticator: a device with a screen lock, which its user opens each time. */
export async function virtualAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the user opens the lock. */
    opens: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    /** How many passkeys it keeps. */
    kept: async () =>
      (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}

/** Uses the passkey; yields the challenge that the bank gave and the one that was signed. */
export async function confirmByPasskey(page: Page) {
  const given: string[] = [];
  const button = page.getByRole("button", { name: /^(Use your passkey|Folosiți cheia de acces)$/ });
  // A page that is on its way has its connections to the network already, and would go past what is routed below.
  await expect(button).toBeVisible();
  const sent = page.waitForRequest((request) => request.url().endsWith("/passkey"));
  // Read on its way: a device without a user is so fast that the page is gone right after.
  await page.route("**/passkey-challenge", async (route) => {
    const response = await route.fetch({ headers: await route.request().allHeaders() });
    const { options } = (await response.json()) as Asked;
    given.push(options.challenge);
    await route.fulfill({ response });
  });
  await button.click();
  const signed = challengeIn(await sent);
  await page.unroute("**/passkey-challenge");
  return { given: given.at(-1), signed };
}

type Asked = { readonly options: { readonly challenge: string } };

function challengeIn(request: Request): string {
  const assertion = JSON.parse(
    new URLSearchParams(request.postData() ?? "none").get("assertion") ?? "null",
  ) as { readonly response: { readonly clientDataJSON: string } };
  const client = Buffer.from(assertion.response.clientDataJSON, "base64url").toString();
  return (JSON.parse(client) as { readonly challenge: string }).challenge;
}

export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of the passkey", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Add a passkey", exact: true }).click();
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
}

export async function removePasskeys(page: Page): Promise<void> {
  const remove = page.getByRole("link", { name: "Remove", exact: true });
  for (let left = await remove.count(); left > 0; left -= 1) {
    await remove.first().click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(remove).toHaveCount(left - 1);
  }
}
