import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { granted } from "@/clients/typescript/src";
import { mayDo, staffRoles } from "@/lib/domain/staff";
import { filesBelow } from "@/lib/server/build";
import { expectAccessible, expectReflow } from "./harness/accessible";
import { askForFunds } from "./harness/asking-for-funds";
import { appOf, customerAt } from "./harness/identity-provider";
import { ownChannelAt } from "./harness/own-channel";
import {
  addPasskey,
  confirmByPasskey,
  VLAD_CURRENT,
  virtualAuthenticator,
} from "./harness/passkeys";
import { instant, type PaymentOrder } from "./harness/payment-request";
import { type Production, startProduction } from "./harness/production";
import type { UserId } from "./harness/psu";
import { type SmsGateway, smsGateway } from "./harness/sms-gateway";
import { expect, test } from "./harness/test";
import { type Asked, type TestTpp, testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);
test.use({ ignoreHTTPSErrors: true });

let folder: string;
let gateway: SmsGateway;
let production: Production;
let tpp: TestTpp;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = await mkdtemp(join(tmpdir(), "drawbridge-production-"));
  gateway = await smsGateway();
  const means = "ciba,oidc,passkey";
  production = await startProduction(join(folder, "bank"), means, "--sms", gateway.url);
  tpp = await testTpp({ bank: production.bank });
});

test.afterAll(async () => {
  await tpp?.close();
  await production?.stop();
  await gateway?.goDown();
  await rm(folder, { recursive: true, force: true });
});

const kinds = ["account information", "funds", "payment"] as const;
type Kind = (typeof kinds)[number];
const means = ["ciba", "oidc"] as const;
type Means = (typeof means)[number];

const ROOT = join(import.meta.dirname, "..");
/** Of the staff console's forms, by their addresses. */
const formFolders = filesBelow(ROOT, "app/(staff)")
  .filter((file) => /POST/.test(readFileSync(join(ROOT, file), "utf8")))
  .map((file) => dirname(file).replace("app/(staff)", ""))
  .filter((folder) => !/^\/staff\/(language|stay|sign-out|sign-in\/password)$/.test(folder));

function formAt(path: string) {
  return formFolders.find((folder) =>
    new RegExp(`^${folder.replace(/\[\w+\]/g, "[^/]+")}$`).test(path),
  );
}

function ask(kind: Kind) {
  if (kind === "payment") return tpp.askToPay();
  return kind === "funds" ? askForFunds(tpp) : tpp.ask();
}

/** From the TPP's link to the page that shows what is confirmed. */
async function toConfirmation(page: Page, kind: Kind, userId: UserId = "ana") {
  const asked = await ask(kind);
  await begin(page, asked, kind, userId);
  return asked;
}

async function toPayment(page: Page, userId: UserId = "ana", order?: PaymentOrder) {
  const asked = await tpp.askToPay(order);
  await begin(page, asked, "payment", userId);
  return asked;
}

async function begin(page: Page, asked: Pick<Asked, "request">, kind: Kind, userId: UserId) {
  await page.goto(asked.request.url.href);
  await customerAt(page).signIn(userId);
  if (kind === "account information") {
    await page.locator("input[name=all]").check();
    await page.locator('form[action$="/accounts"] button:not([form])').first().click();
  }
  await expect(page.locator('a[href*="/step-up?"]')).toBeVisible();
}

async function referenceOn(page: Page): Promise<string> {
  const text = await page.locator("main").textContent();
  return /(?:reference|referința) ([2-9A-HJ-NP-Z]{4})\./.exec(text ?? "none")?.[1] ?? "none";
}

/** In the app, or at the provider's page, which show what the bank's page shows. */
async function confirm(page: Page, by: Means, userId: UserId = "ana") {
  const reference = await referenceOn(page);
  if (by === "oidc") {
    await page.locator('a[href*="/step-up?"]').click();
    await expect(customerAt(page).shown).toContainText(tpp.name);
    return customerAt(page).signIn(userId);
  }
  const phone = await page.context().newPage();
  const app = appOf(phone, production.issuer);
  await app.open(userId);
  await expect(app.requests.filter({ hasText: reference })).toContainText(tpp.name);
  await app.answer(reference, "confirm");
  await phone.close();
}

const pagesMax = (kind: Kind) => (kind === "account information" ? 3 : 2);

/** Pages of the bank that the PSU has been shown. */
function pagesShown(page: Page): readonly string[] {
  const shown: string[] = [];
  page.on("response", (response) => {
    const isPage = response.request().resourceType() === "document" && response.status() === 200;
    const url = new URL(response.url());
    // What is shown again at the same address is the same page.
    const known = shown.at(-1) === url.pathname && url.pathname.startsWith("/authorise/");
    if (isPage && url.origin === production.bank.webUrl && !known) shown.push(url.pathname);
  });
  return shown;
}

const browsers = [true, false].flatMap((javaScriptEnabled) =>
  ["en-GB", "ro-RO"].map((locale) => ({ javaScriptEnabled, locale })),
);

// A passkey needs JavaScript, and is confirmed with below.
for (const by of means) {
  for (const options of browsers) {
    const how = options.javaScriptEnabled ? "with JavaScript" : "without JavaScript";
    test(`${kinds.join(", ")}: sign-in at the bank's provider, confirmed by ${by}, ${how}, ${options.locale}`, async ({
      browser,
    }) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
      for (const kind of kinds) {
        const page = await context.newPage();
        const shown = pagesShown(page);
        const asked = await toConfirmation(page, kind);
        await expect(page.locator("html")).toHaveAttribute("lang", options.locale.slice(0, 2));
        await confirm(page, by);
        if (by === "ciba" && !options.javaScriptEnabled) {
          await page.locator('form[action$="/approval"] button:not([form])').first().click();
        }
        await tpp.collect(asked);
        expect(shown.length, kind).toBeLessThanOrEqual(pagesMax(kind));
        await page.close();
      }
      await context.close();
    });
  }
}

test("what the app has answered counts when the PSU has closed the browser: the provider tells the bank", async ({
  browser,
}) => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const asked = await toPayment(page);
  const reference = await referenceOn(page);
  await page.close();
  const app = appOf(await context.newPage(), production.issuer);
  await app.open("ana");
  await app.answer(reference, "confirm");
  const status = async () => granted(await tpp.bank.paymentStatus(asked)).transactionStatus;
  await expect.poll(status).toBe("ACSC");
  await context.close();
});

test("X1: a notification of the provider is read up to 8 KiB, and counts only with the token of its request", async ({
  page,
  bank,
}) => {
  const notify = async (webUrl: string, id: string) => {
    const data = JSON.stringify({ auth_req_id: id });
    const headers = { authorization: "Bearer none", "content-type": "application/json" };
    return (await page.request.post(`${webUrl}/identity/notification`, { data, headers })).status();
  };
  const { webUrl } = production.bank;
  expect(await notify(webUrl, "x".repeat(9_000))).toBe(413);
  expect(await notify(webUrl, "no\u0000id")).toBe(400);
  expect(await notify(webUrl, "unknown")).toBe(401);
  // Where no provider notifies.
  expect(await notify(bank.webUrl, "unknown")).toBe(404);
});

test("a passkey added in the bank's own channel confirms after a sign-in at the bank's provider, in both languages", async ({
  page,
}) => {
  await virtualAuthenticator(page);
  await page.goto(`${production.bank.webUrl}/passkeys`);
  await customerAt(page).signIn("vlad");
  await addPasskey(page, "My laptop");
  await expect
    .poll(() => gateway.taken.map(({ body }) => body.text))
    .toEqual([expect.stringContaining("A passkey was added")]);
  const debtorAccount = { iban: VLAD_CURRENT };
  const requests = {
    "account information": () => tpp.ask(),
    funds: () => askForFunds(tpp, { account: debtorAccount }),
    payment: () => tpp.askToPay(instant({ debtorAccount })),
  };
  for (const language of ["en", "ro"]) {
    if (language === "ro") {
      await page.goto(`${production.bank.webUrl}/passkeys`);
      await page.getByRole("button", { name: "Română" }).click();
    }
    for (const kind of kinds) {
      const shown = pagesShown(page);
      const asked = await requests[kind]();
      await begin(page, asked, kind, "vlad");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await confirmByPasskey(page);
      await tpp.collect(asked);
      // The TPP has its code before the browser has shown its page.
      await page.waitForURL(`${tpp.redirectUri}?*`);
      expect(shown.length, kind).toBeLessThanOrEqual(pagesMax(kind));
    }
  }
});

test("a payment that is confirmed is executed by the bank's core, and its PSU signs in at the bank's own channel", async ({
  page,
}) => {
  // What the bank's own channel lists of this TPP.
  const permitted = await toConfirmation(page, "account information");
  await confirm(page, "oidc");
  await tpp.collect(permitted);
  await page.waitForURL(`${tpp.redirectUri}?*`);
  const asked = await tpp.askToPay();
  await page.goto(asked.request.url.href);
  await customerAt(page).signIn("ana");
  await confirm(page, "oidc");
  await tpp.collect(asked);
  await page.waitForURL(`${tpp.redirectUri}?*`);
  const status = async () => granted(await tpp.bank.paymentStatus(asked)).transactionStatus;
  await expect.poll(status).toBe("ACSC");
  await page.goto(`${production.bank.webUrl}/permissions`);
  await customerAt(page).signIn("ana");
  await expect(page.getByText(tpp.name).first()).toBeVisible();
  await page.getByRole("link", { name: `Refuse requests of “${tpp.name}”` }).click();
  await page.getByRole("button", { name: "Refuse payments that others prepare" }).click();
  const refused = await tpp.askToPay();
  const unasked = await page.context().newPage();
  await unasked.goto(refused.request.url.href);
  await customerAt(unasked).signIn("ana");
  await expect(
    unasked.getByText("to refuse such requests, so it has refused this one"),
  ).toBeVisible();
  expect(granted(await tpp.bank.paymentStatus(refused)).transactionStatus).toBe("RJCT");
  await unasked.close();
  await page.getByRole("button", { name: "Allow such requests again" }).click();
  await expect(page.getByText("You refuse nothing.")).toBeVisible();
  await ownChannelAt(page, production.bank.webUrl).signOut();
  await page.goto(`${production.bank.webUrl}/permissions`);
  await expect(page.locator("input[name=userId]")).toBeVisible();
});

test("X11: outside the sandbox the address of the sandbox API is an unknown one", async () => {
  for (const path of ["psus", "reset", "openapi.json"]) {
    const url = `${production.bank.xs2aUrl}/sandbox/api/v1/${path}`;
    expect((await tpp.http.send({ method: "GET", url, headers: {} })).status, path).toBe(404);
  }
});

test("the pages of waiting, of the provider and of its failures are readable, at 320 px too", async ({
  page,
}) => {
  const expectReadable = async () => {
    for (const language of ["Română", "English"]) {
      await page.getByRole("button", { name: language, exact: true }).click();
      await expect(page.locator("html")).toHaveAttribute(
        "lang",
        language === "English" ? "en" : "ro",
      );
      await expectAccessible(page);
    }
  };
  await toPayment(page);
  await expectReadable();
  await expectReflow(page);
  await production.setFault({ idToken: { acr: "urn:drawbridge:acr:login" } });
  await confirm(page, "oidc");
  await expect(page.getByText(/did not ask for everything/).first()).toBeVisible();
  await expectReadable();
});

test.describe("a PSU who does not agree", () => {
  test("refuses in the app: nothing is paid, and one button leads back to the TPP", async ({
    page,
    context,
  }) => {
    const asked = await toPayment(page);
    const reference = await referenceOn(page);
    await inApp(context, "ana", reference, "refuse");
    await expect(page.getByRole("button", { name: /^Back to/ })).toBeVisible({ timeout: 60_000 });
    expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RJCT");
  });

  test("refuses at the provider's page: nothing is paid", async ({ page }) => {
    const asked = await toPayment(page);
    await page.locator('a[href*="/step-up?"]').click();
    await customerAt(page).refuse();
    await expect(page.getByRole("button", { name: /^Back to/ })).toBeVisible();
    expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RJCT");
  });

  test("does not sign in: may try again, or go back", async ({ page }) => {
    const asked = await tpp.askToPay();
    await page.goto(asked.request.url.href);
    await customerAt(page).refuse();
    await expect(page.getByText("You have not signed in.").first()).toBeVisible();
    await page.getByRole("link", { name: /^Sign in with/ }).click();
    await customerAt(page).signIn("ana");
    await expect(page.locator('a[href*="/step-up?"]')).toBeVisible();
  });
});

async function inApp(
  context: BrowserContext,
  userId: UserId,
  reference: string,
  answer: "confirm" | "refuse",
) {
  const phone = await context.newPage();
  const app = appOf(phone, production.issuer);
  await app.open(userId);
  await app.answer(reference, answer);
  await phone.close();
}

/** The address at which the browser would bring the provider's answer. */
async function answerFor(page: Page, userId: UserId): Promise<string> {
  const action = await page.locator("form").getAttribute("action");
  const form = { userId, password: `${userId}-sandbox`, answer: "confirm" };
  const sent = { form, maxRedirects: 0 };
  const entered = await page.request.post(new URL(action ?? "none", page.url()).href, sent);
  const { location = "none" } = entered.headers();
  const answered = await page.request.get(location, { maxRedirects: 0 });
  return answered.headers()["location"] ?? "none";
}

test.describe("what the provider, or somebody in its name, answers", () => {
  const notProved = /could not be used/;
  const logins = [
    ["I1: of another issuer (mix-up)", { iss: "https://evil.example" }],
    ["I1: with an ID token of another issuer", { idToken: { iss: "https://evil.example" } }],
    ["I1: with an ID token for another client", { idToken: { aud: "another" } }],
    ["I5: without the level that a sign-in needs", { idToken: { acr: "urn:other" } }],
    ["I7: with the nonce of another sign-in", { idToken: { nonce: "another" } }],
    ["I7: without the nonce of the sign-in", { idToken: { nonce: null } }],
    ["I3: of a customer who has signed in long ago", { idToken: { auth_time: 1_700_000_000 } }],
    ["I3: that has expired", { idToken: { exp: 1_700_000_000 } }],
    ["I9: signed with a key that is not its own", { idToken: {}, otherKey: true }],
    ["with the id of no customer that there can be", { idToken: { sub: "x".repeat(71) } }],
    ["while it is out of order", { tokenStatus: 500 }],
  ] as const;
  test("signs nobody in that it does not prove, and the PSU may try again", async ({ page }) => {
    await page.goto((await tpp.askToPay()).request.url.href);
    for (const [what, fault] of logins) {
      await test.step(what, async () => {
        await production.setFault(fault);
        await customerAt(page).signIn("ana");
        const again = page.getByRole("link", { name: /^Sign in with/ });
        await expect(again, what).toBeVisible();
        await production.setFault({});
        await again.click();
      });
    }
    await customerAt(page).signIn("ana");
    await expect(page.locator('a[href*="/step-up?"]')).toBeVisible();
  });

  const confirmations = [
    [
      "I5: with the level of a sign-in alone",
      { acr: "urn:drawbridge:acr:login" },
      /did not ask for everything/,
    ],
    ["I3: of a customer who has approved before", { auth_time: 1_700_000_000 }, notProved],
    [
      "I13: about something else",
      { authorization_details: [{ type: "urn:drawbridge:authorisation", hash: "another" }] },
      notProved,
    ],
    ["I13: that does not say about what", { authorization_details: [] }, notProved],
    ["I6: of another customer", { sub: "5eedba2c-0000-4000-8000-000000000002" }, /Somebody else/],
  ] as const;
  // A request is led to the provider a few times, and then no more.
  for (const some of [confirmations.slice(0, 3), confirmations.slice(3)]) {
    test(`confirms nothing: ${some.map(([what]) => what).join("; ")}`, async ({ page }) => {
      const asked = await toPayment(page);
      for (const [what, idToken, said] of some) {
        await page.locator('a[href*="/step-up?"]').click();
        await production.setFault({ idToken });
        await customerAt(page).signIn("ana");
        await expect(page.getByText(said).first(), what).toBeVisible();
        expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RCVD");
      }
    });
  }

  test("I9: with keys that it has changed since is judged by the new ones", async ({ page }) => {
    await production.setFault({ rotateKeys: true });
    await toPayment(page);
    await confirm(page, "oidc");
    await expect(page).not.toHaveURL(/step-up|signed-in/);
  });

  const nothing = /no longer open/;

  test("I3: brought a second time is worth nothing", async ({ page }) => {
    await page.goto((await tpp.askToPay()).request.url.href);
    const brought = await answerFor(page, "ana");
    await page.goto(brought);
    await expect(page.locator('a[href*="/step-up?"]')).toBeVisible();
    await page.goto(brought);
    await expect(page.getByText(nothing).first()).toBeVisible();
  });

  test("I4: brought by another browser than the one that has asked is worth nothing", async ({
    page,
    browser,
  }) => {
    const asked = await tpp.askToPay();
    await page.goto(asked.request.url.href);
    const brought = await answerFor(page, "ana");
    const other = await browser.newPage({ ignoreHTTPSErrors: true });
    await other.goto(asked.request.url.href);
    await other.goto(brought);
    await expect(other.getByText(nothing).first()).toBeVisible();
    await other.close();
  });

  const unasked = [
    ["I8: with a state of nobody's", "code=abc&state=def"],
    ["I10: to a sign-in that nobody has begun here", "code=abc"],
  ] as const;
  test("signs nobody in whom no browser has sent there", async ({ page }) => {
    for (const [what, query] of unasked) {
      await page.goto(`${production.bank.webUrl}/identity/callback/bank?${query}`);
      await expect(page.getByText(nothing).first(), what).toBeVisible();
    }
  });

  test("I1: an error in the name of another issuer is not taken for the provider's", async ({
    page,
  }) => {
    for (const [iss, said] of [
      ["https://evil.example", notProved],
      [undefined, /You have not signed in/],
    ] as const) {
      await page.goto((await tpp.askToPay()).request.url.href);
      const brought = new URL(await answerFor(page, "ana"));
      brought.searchParams.delete("code");
      brought.searchParams.set("error", "access_denied");
      if (iss !== undefined) brought.searchParams.set("iss", iss);
      await page.goto(brought.href);
      await expect(page.getByText(said).first()).toBeVisible();
    }
  });

  test("I2: a code of another sign-in is worth nothing", async ({ page, browser }) => {
    const attacker = await browser.newPage({ ignoreHTTPSErrors: true });
    await attacker.goto((await tpp.askToPay()).request.url.href);
    const stolen = new URL(await answerFor(attacker, "mihai"));
    await page.goto((await tpp.askToPay()).request.url.href);
    const brought = new URL(await answerFor(page, "ana"));
    brought.searchParams.set("code", stolen.searchParams.get("code") ?? "none");
    await page.goto(brought.href);
    await expect(page.getByText(notProved).first()).toBeVisible();
    await attacker.close();
  });

  test("I6: another customer cannot go on with a request that somebody has begun", async ({
    browser,
    page,
  }) => {
    const asked = await toPayment(page);
    const other = await browser.newPage({ ignoreHTTPSErrors: true });
    await other.goto(asked.request.url.href);
    await other.getByRole("link", { name: /^Sign in with/ }).click();
    await customerAt(other).signIn("mihai");
    await expect(other.getByText(/Somebody else/).first()).toBeVisible();
    await other.close();
  });

  test("I11: an app is asked a few times for one request, and then no more", async ({ page }) => {
    await toConfirmation(page, "account information", "elena");
    const again = page.getByRole("button", { name: "Send to my app again" });
    for (let times = 1; times < 4; times += 1) await again.click();
    await expect(page.locator('form[action$="/approval"]')).toBeVisible();
    await expect(again).toHaveCount(0);
  });
});

test("H1: the bank's staff sign in at its provider with the roles it names; each role sees what it may, and every refusal is a 403", async ({
  browser,
}) => {
  const { staffUrl } = production.bank;
  const nobody = "00000000-0000-4000-8000-000000000000";
  const pages = [
    ["see-tpps", "/staff/tpps"],
    ["see-statistics", "/staff/health"],
    ["search", "/staff/search"],
    ["see-customer", `/staff/customers/${nobody}`],
    ["see-customer", `/staff/cases/PIS/${nobody}`],
    ["see-customer", `/staff/csv/permissions/${nobody}`],
    ["see-events", "/staff/events"],
  ] as const;
  // Every form but those of signing in, staying, signing out and the language.
  const forms = [
    ["search", "/staff/search/find"],
    ["end-permission", `/staff/cases/AIS/${nobody}/end`],
    ["unlock-customer", `/staff/customers/${nobody}/unlock`],
    ["request-block", "/staff/tpps/PSDRO-NBR-1234567/request/send"],
    ["approve-block", `/staff/blocks/${nobody}/approve`],
    ["approve-block", `/staff/blocks/${nobody}/refuse`],
    ["request-block", `/staff/blocks/${nobody}/withdraw`],
  ] as const;
  expect(forms.map(([, path]) => formAt(path)).toSorted()).toEqual(formFolders);
  const signedIn = async (roles: readonly string[], who = "radu") => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`${staffUrl}/staff`);
    await production.setFault({ idToken: { roles } });
    await page.getByRole("link", { name: /^Sign in with/ }).click();
    await customerAt(page).signIn(who as UserId);
    await page.waitForURL((url) => url.origin === staffUrl);
    return page;
  };
  for (const role of staffRoles) {
    const page = await signedIn([role, "other-role"]);
    await expect(page.getByText(`Radu Munteanu (${role})`)).toBeVisible();
    for (const [action, path] of pages) {
      const status = (await page.goto(staffUrl + path))?.status();
      expect({ role, path, refused: status === 403 }).toEqual({
        ...{ role, path, refused: !mayDo([role], action) },
      });
    }
    for (const [action, path] of forms) {
      const answer = await page.request.post(staffUrl + path, {
        ...{ form: { token: "made-up" }, headers: { "sec-fetch-site": "same-origin" } },
        maxRedirects: 0,
      });
      const to = answer.headers()["location"];
      expect({ role, path, refused: to === "/staff/forbidden" }).toEqual({
        ...{ role, path, refused: !mayDo([role], action) },
      });
    }
    await page.context().close();
  }
  const stranger = await signedIn([], "ana");
  await expect(stranger.getByRole("alert")).toContainText("you have no role in this console");
  expect((await stranger.goto(`${staffUrl}/staff/search`))?.url()).toContain("/staff/sign-in");
  // An answer that no browser has asked for.
  await stranger.goto(`${staffUrl}/staff/identity/callback/bank?code=abc&state=def`);
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await stranger.context().close();
});
