/** A page or a state of one, by the beginning of its heading in each language it is written in. */
export type Picture = {
  readonly en: string;
  /** The sandbox's own pages are in English, and a warning goes with the page. */
  readonly ro?: string;
  /** Where much is decided: on the screen in both colours. */
  readonly chief?: true;
  /** Much like another one: looked at, and not kept. */
  readonly unkept?: true;
  /** Not the whole length of the page: something lies over its lower edge. */
  readonly screenOnly?: true;
};

const flows = {
  sharing: {
    login: { en: "Sign in to", ro: "Autentificare la", chief: true },
    "login-wrong": { en: "Sign in to", ro: "Autentificare la" },
    accounts: { en: "Choose the accounts", ro: "Alegeți conturile", chief: true },
    "accounts-none": { en: "Choose the accounts", ro: "Alegeți conturile" },
    summary: { en: "Share 5 accounts", ro: "Dați acces la 5 conturi", chief: true },
    "summary-wrong": { en: "Share 5 accounts", ro: "Dați acces la 5 conturi" },
    "summary-new-code": {
      en: "Share 5 accounts",
      ro: "Dați acces la 5 conturi",
      unkept: true,
    },
    "login-again": { en: "Sign in again", ro: "Autentificați-vă din nou" },
    "not-yours": { en: "This request is not yours", ro: "Această cerere nu este a dumneavoastră" },
    leaving: { en: "Taking you back to", ro: "Vă ducem înapoi la" },
    "already-confirmed": { en: "You have already confirmed", ro: "Ați confirmat deja" },
  },
  paying: {
    payment: { en: "Pay ", ro: "Plătiți ", chief: true },
    "payment-wrong": { en: "Pay ", ro: "Plătiți " },
    "not-your-account": { en: "This account is none of yours", ro: "Acest cont nu este al" },
    "account-blocked": { en: "Your account is blocked", ro: "Contul dumneavoastră este blocat" },
    "above-your-limit": { en: "This payment is above", ro: "Această plată depășește" },
  },
  cards: {
    funds: { en: "Let ", ro: "Permiteți verificarea fondurilor", chief: true },
    "time-limit": { en: "Let ", screenOnly: true },
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
    "sign-in-code": { en: "Enter the code", ro: "Introduceți codul" },
    permissions: { en: "Your permissions", ro: "Accesul acordat", chief: true },
    permission: { en: "", ro: "", chief: true },
    "permission-end": { en: "End the permission of", ro: "Retrageți accesul" },
    "permission-ended": { en: "", ro: "" },
    "signed-out": { en: "You are signed out", ro: "Ați ieșit din cont" },
  },
  passkeys: {
    "passkeys-none": { en: "Your passkeys", ro: "Cheile dumneavoastră de acces" },
    "permissions-none": { en: "Your permissions", ro: "Accesul acordat", unkept: true },
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
    sandbox: { en: "The sandbox is running" },
    "sandbox-phone": { en: "Phone of" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Picture>>>>;

export type Flow = keyof typeof flows;
export const pictures: Readonly<Record<Flow, Readonly<Record<string, Picture>>>> = flows;

/** One file of a picture. */
export type Shot = {
  readonly file: string;
  readonly colorScheme: "light" | "dark";
  readonly on: "screen" | "phone";
};

/** Light on a screen and dark on a phone, in another language where there is one. */
export function shotsOf(name: string, { ro, chief, unkept }: Picture): readonly Shot[] {
  if (unkept) return [];
  const other = ro === undefined ? "en" : "ro";
  const shots: readonly Shot[] = [
    { file: `${name}-en-light.png`, colorScheme: "light", on: "screen" },
    { file: `${name}-${other}-dark-phone.png`, colorScheme: "dark", on: "phone" },
  ];
  if (!chief) return shots;
  return [...shots, { file: `${name}-en-dark.png`, colorScheme: "dark", on: "screen" }];
}

export const everyFile: readonly string[] = Object.values(pictures)
  .flatMap((flow) => Object.entries(flow))
  .flatMap(([name, picture]) => shotsOf(name, picture))
  .map(({ file }) => file);
