import { expect, type Page } from "@playwright/test";
import {
  expectAccessible,
  expectAccessibleInLight,
  expectReflow,
  expectReflowOfLargeText,
} from "./accessible";

/** A page or a state of one, by the beginning of its heading in each language it is written in. */
type Picture = {
  readonly en: string;
  /** The sandbox's own pages are in English, and a warning goes with the page. */
  readonly ro?: string;
  /** Shown in the documents, and held against its picture there by `npm run screenshots`. */
  readonly inDocs?: true;
};

const flows = {
  sharing: {
    login: { en: "Sign in to", ro: "Autentificare la" },
    "login-wrong": { en: "Sign in to", ro: "Autentificare la" },
    "login-too-soon": { en: "Sign in to", ro: "Autentificare la" },
    "login-busy": { en: "Sign in to", ro: "Autentificare la" },
    accounts: { en: "Choose the accounts", ro: "Alegeți conturile", inDocs: true },
    "accounts-none": { en: "Choose the accounts", ro: "Alegeți conturile" },
    summary: { en: "Share 5 accounts", ro: "Dați acces la 5 conturi", inDocs: true },
    "summary-wrong": { en: "Share 5 accounts", ro: "Dați acces la 5 conturi" },
    "summary-new-code": {
      en: "Share 5 accounts",
      ro: "Dați acces la 5 conturi",
    },
    "login-again": { en: "Sign in again", ro: "Autentificați-vă din nou" },
    "not-yours": { en: "This request is not yours", ro: "Această cerere nu este a dumneavoastră" },
    leaving: { en: "Taking you back to", ro: "Vă ducem înapoi la" },
    "already-confirmed": { en: "You have already confirmed", ro: "Ați confirmat deja" },
  },
  paying: {
    payment: { en: "Pay ", ro: "Plătiți ", inDocs: true },
    "payment-wrong": { en: "Pay ", ro: "Plătiți " },
    "not-your-account": { en: "This account is none of yours", ro: "Acest cont nu este al" },
    "account-blocked": { en: "Your account is blocked", ro: "Contul dumneavoastră este blocat" },
    "above-your-limit": { en: "This payment is above", ro: "Această plată depășește" },
  },
  cards: {
    funds: { en: "Let ", ro: "Permiteți verificarea fondurilor" },
    "time-limit": { en: "Let " },
  },
  ending: {
    "nothing-to-share": { en: "There is nothing to share", ro: "Nu există conturi" },
    withdrawn: { en: "This request was withdrawn", ro: "Această cerere a fost retrasă" },
    blocked: { en: "Signing in is blocked", ro: "Autentificarea este blocată" },
    refused: { en: "This request was refused", ro: "Această cerere a fost refuzată" },
    "too-many-tries": { en: "Too many wrong tries", ro: "Prea multe încercări" },
  },
  stopping: {
    "no-longer-valid": { en: "What you confirmed has ended", ro: "Ceea ce ați confirmat" },
    "tpp-blocked": { en: "This request was stopped", ro: "Această cerere a fost oprită" },
  },
  seldom: {
    "account-gone": { en: "This request can no longer be", ro: "Această cerere nu mai poate fi" },
    "above-day-limit": { en: "This payment is above your limit for today", ro: "Această plată" },
    "fault-in-request": { en: "Something went wrong", ro: "A apărut o eroare" },
  },
  late: { expired: { en: "The time for this request", ro: "Timpul pentru această cerere" } },
  texts: {
    "not-delivered": { en: "Share 5 accounts", ro: "Dați acces la 5 conturi" },
  },
  ownChannel: {
    "sign-in": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-wrong": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-too-soon": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-busy": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-blocked": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-blocked-for-good": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-not-unlocked": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-unlocked": { en: "Sign in to", ro: "Autentificare la" },
    "sign-in-code": { en: "Enter the code", ro: "Introduceți codul" },
    permissions: { en: "Your permissions", ro: "Accesul acordat", inDocs: true },
    permission: { en: "", ro: "" },
    "permission-end": { en: "End the permission of", ro: "Retrageți accesul" },
    "permission-ended": { en: "", ro: "" },
    refusals: { en: "What you refuse", ro: "Ce refuzați" },
    "opted-out": { en: "You do not want to be asked", ro: "Nu doriți să primiți" },
    "sign-out": { en: "Sign out", ro: "Ieșire din cont" },
    "signed-out": { en: "You are signed out", ro: "Ați ieșit din cont" },
  },
  passkeys: {
    "passkeys-none": { en: "Your passkeys", ro: "Cheile dumneavoastră de acces" },
    "permissions-none": { en: "Your permissions", ro: "Accesul acordat" },
    passkeys: { en: "Your passkeys", ro: "Cheile dumneavoastră de acces" },
    "passkey-remove": { en: "Remove the passkey", ro: "Eliminați cheia de acces" },
    "sign-in-passkey": { en: "Confirm with your passkey", ro: "Confirmați cu cheia de acces" },
  },
  alone: {
    gone: { en: "This page is no longer open", ro: "Această pagină nu mai este deschisă" },
    "unknown-client": { en: "We do not know who sent you", ro: "Nu știm cine v-a trimis aici" },
    "wrong-redirect-uri": { en: "We cannot lead you back", ro: "Nu vă putem conduce înapoi" },
    fault: { en: "Something went wrong", ro: "A apărut o eroare" },
    "not-found": { en: "Page not found", ro: "Pagina nu a fost găsită" },
    // In every language at once.
    unavailable: { en: "We cannot answer at the moment" },
    sandbox: { en: "The sandbox is running" },
    "sandbox-phone": { en: "Phone of" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Picture>>>>;

const SCREEN = { width: 800, height: 900 };
/** What is left of a screen of 1280 px at 400 % (WCAG 1.4.10). */
const PHONE = { width: 320, height: 640 };

/** Checks every page of one flow, by its name: its heading, its width, and what axe finds. */
export function cameraFor(flow: keyof typeof flows, page: Page) {
  const left = new Map<string, Picture>(Object.entries(flows[flow]));

  async function take(name: string): Promise<void> {
    const picture = left.get(name);
    if (picture === undefined) throw new Error(`${flow} has no page ${name} to look at`);
    left.delete(name);
    await look(page, name, picture);
  }

  return { take, left: () => [...left.keys()] };
}

async function look(page: Page, name: string, { en, ro, inDocs }: Picture): Promise<void> {
  await page.setViewportSize(SCREEN);
  await isShown(page, en);
  if (ro !== undefined) await expectReflowOfLargeText(page);
  await expectAccessibleInLight(page);
  if (inDocs) await expect(page).toHaveScreenshot(`${name}-en-light.png`);
  if (ro !== undefined) await switchTo(page, "Română");
  await page.setViewportSize(PHONE);
  await isShown(page, ro ?? en);
  await expectAccessible(page);
  if (ro !== undefined) await switchTo(page, "English");
}

/** The right page, and as wide as what it is shown on. */
async function isShown(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
  await expectReflow(page);
}

async function switchTo(page: Page, language: string): Promise<void> {
  await page.getByRole("button", { name: language, exact: true }).click();
  const lang = language === "English" ? "en" : "ro";
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
}

/** What leads on to the TPP is answered with nothing, so that the page before it stays. */
export async function staysBefore(page: Page): Promise<void> {
  await page.route("**/auth/*", (route) => route.fulfill({ status: 204 }));
}
