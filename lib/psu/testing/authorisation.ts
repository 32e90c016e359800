import type { Config } from "@/lib/config";
import {
  type Authorisation,
  type ResourceKind,
  startedAuthorisation,
} from "@/lib/domain/authorisation";
import { money, type ScaMeans } from "@/lib/domain/bank-profile";
import type { AccountConsent } from "@/lib/domain/consents";
import type { FundsConsent, FundsConsentRequest } from "@/lib/domain/funds";
import type { ApprovalApp } from "@/lib/domain/identity-provider";
import type { PasskeyAssertion, PasskeyRegistration } from "@/lib/domain/passkeys";
import type { Payment, PaymentOrder } from "@/lib/domain/payment-order";
import { type Authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import type { InMemoryBank } from "@/lib/domain/testing/in-memory-authorisations";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import {
  account,
  ana,
  current,
  later,
  multiEur,
  newRequestId,
  now,
  receivedConsent,
  tpp,
} from "@/lib/domain/testing/samples";
import {
  addTime,
  type ConsentId,
  type Iban,
  newAuthorisationId,
  newConsentId,
  newPaymentId,
  type PsuId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { type View, viewOf } from "../authorisation-view";
import type { Action } from "../form-token";
import type { Frame } from "../frame";
import { readDeparture } from "../leave";
import type { Interaction, PsuServices, PsuSessionStore } from "../ports";
import { takeAnswer } from "../request";
import { openVisit } from "../visit";

export const WEB_URL = "http://localhost:3000";
const ISSUER = "https://localhost:8443";
export const sampleUid = "interaction-of-ana";
export const savings = account("second", "RO75DRWB0000000000000009");

type Setup = {
  readonly webUrl?: string;
  readonly nok?: string;
  readonly redirectUri?: string;
};

/** A bank in memory with one authorisation request waiting: for an account consent. */
export async function bankWithConsent(given: Setup = {}) {
  const memory = inMemoryBank();
  memory.bank.accountsOf.set(ana, [current, savings]);
  const consent = await receivedConsent(memory.ports);
  return { ...bankWith(memory, "AIS", consent, given), consent };
}

/** The same where the bank's app is asked first, which answers as `app` says. */
export function withApp(ours: TestBank, means: readonly ScaMeans[] = ["ciba", "code"]) {
  const app: { reachable: boolean; answer: Awaited<ReturnType<ApprovalApp["answerTo"]>> } = {
    reachable: true,
    answer: { outcome: "pending", pollSeconds: 5 },
  };
  const approvalApp: ApprovalApp = {
    ask: async ({ reference }) =>
      app.reachable
        ? { outcome: "asked", requestId: `request ${reference}`, pollSeconds: 5 }
        : { outcome: "provider-unavailable" },
    answerTo: async () => app.answer,
  };
  const { profile } = ours.services;
  const services = {
    ...ours.services,
    profile: { ...profile, sca: { ...profile.sca, means } },
    approvalApp,
  };
  return { ...ours, services, app };
}

/** The same with a payment that waits. */
export function bankWithPayment(given: Setup & AskedOrder = {}) {
  const memory = inMemoryBank();
  memory.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const payment = receivedPayment(memory, given);
  const ours = bankWith(memory, "PIS", payment, given);
  return { ...ours, payment: () => memory.bank.payments.get(payment.id) ?? payment };
}

/** The same with a confirmation of funds consent that waits. */
export function bankWithFundsConsent(
  given: Setup & Parameters<typeof receivedFundsConsent>[1] = {},
) {
  const memory = inMemoryBank();
  memory.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const consent = receivedFundsConsent(memory, given);
  const ours = bankWith(memory, "PIIS", consent, given);
  return { ...ours, consent: () => memory.bank.fundsConsents.get(consent.id) ?? consent };
}

type Resource = Pick<AccountConsent, "tppId" | "authorisationId"> & { readonly id: string };

function bankWith(
  { bank, ports }: ReturnType<typeof inMemoryBank>,
  kind: Authorisation["kind"],
  resource: Resource,
  given: Setup,
) {
  const { change, authorisation } = authorisationOf(bank, resource);
  const redirectUri = given.redirectUri ?? "https://tpp.example/cb";
  change({ redirectUris: { redirectUri, ...(given.nok && { nokRedirectUri: given.nok }) } });

  const sessions = sessionsInMemory();
  const open = new Map<string, Interaction>([
    [sampleUid, interactionOf(resource, sampleUid, kind)],
  ]);
  const calls: string[] = [];
  let at = now;
  const services: PsuServices = {
    ...ports,
    profile: aspspProfile,
    clock: { now: async () => at },
    tppRegister: { ...ports.tppRegister, find: async () => tpp },
    config: {
      WEB_URL: given.webUrl ?? WEB_URL,
      XS2A_URL: ISSUER,
      SANDBOX: true,
      SESSION_SECRET: "a-secret-of-thirty-two-characters",
    } as Config,
    psuSessions: sessions.store,
    tppBlocks: { noticesFor: async () => [] },
    interactions: {
      read: async (wanted, cookie) =>
        cookie.includes(`_interaction=${wanted}`) ? open.get(wanted) : undefined,
      accept: async ({ uid: accepted }) => {
        calls.push(`accept ${accepted}`);
        const ended = bank.consents.get(resource.id as ConsentId)?.status === "terminatedByTpp";
        return ended ? undefined : `${WEB_URL}/auth/${accepted}`;
      },
      refuse: async (refused) => {
        calls.push(`refuse ${refused}`);
        open.delete(refused);
      },
    },
  };
  return {
    bank,
    services,
    open,
    calls,
    sessions: sessions.rows,
    change,
    authorisation,
    /** Lets minutes pass. */
    wait: (minutes: number) => {
      at = later(minutes, at);
    },
  };
}

export type TestBank = ReturnType<typeof bankWith>;

function authorisationOf({ authorisations }: InMemoryBank, { authorisationId }: Resource) {
  const authorisation = (): Authorisation => {
    const found = authorisations.get(authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const change = (changed: Partial<Authorisation>) => {
    authorisations.set(authorisationId, { ...authorisation(), ...changed });
  };
  return { authorisation, change };
}

export function interactionOf(
  { id, tppId }: Resource,
  uid: string,
  kind: Authorisation["kind"] = "AIS",
): Interaction {
  return {
    uid,
    clientId: tppId,
    kind,
    resourceId: id,
    state: "state of the TPP",
    redirectUri: "https://tpp.example/cb",
  };
}

type Memory = ReturnType<typeof inMemoryBank>;
type AskedOrder = { readonly order?: Partial<PaymentOrder> };

/** 1,234.50 RON from ana's current account. */
export const order: PaymentOrder = {
  product: "instant-sepa-credit-transfers",
  amount: money("RON", 123_450n),
  debtor: { iban: current.iban },
  creditor: { name: "Shop SRL", iban: "RO49AAAA1B31007593840000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

/** A payment that waits for its PSU. */
export function receivedPayment(memory: Memory, { order: changes }: AskedOrder = {}): Payment {
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: { ...order, ...changes },
    instruction: {},
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  memory.bank.payments.set(payment.id, payment);
  start(memory, "PIS", payment);
  return payment;
}

/** A confirmation of funds consent that waits for its PSU. */
function receivedFundsConsent(
  memory: Memory,
  { funds }: { readonly funds?: Partial<FundsConsentRequest> } = {},
): FundsConsent {
  const consent: FundsConsent = {
    account: { iban: current.iban },
    ...funds,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    createdAt: now,
  };
  memory.bank.fundsConsents.set(consent.id, consent);
  start(memory, "PIIS", consent);
  return consent;
}

function start({ bank, ports }: Memory, kind: ResourceKind, resource: Payment | FundsConsent) {
  const { id: resourceId, authorisationId: id, tppId } = resource;
  const redirectUris = { redirectUri: "https://tpp.example/cb" };
  const asked = { tpp: { id: tppId }, requestId: newRequestId(), redirectUris, now };
  bank.authorisations.set(id, startedAuthorisation(ports, { id, kind, resourceId }, asked));
}

type Fields = readonly (readonly [string, string])[];
type Sent = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** A form of the release before does not say what its page shows. */
  readonly ofReleaseBefore?: boolean;
};

/** A PSU's browser: it keeps cookies and sends forms as they were shown. */
export function browser(ours: TestBank, uid = sampleUid, language = "en-GB") {
  const jar = cookieJar(`_interaction=${uid}`);
  const asked = () => new Headers({ cookie: jar.header(), "accept-language": language });
  let shown: View = { page: "unknown" };

  const look = async (again?: "accounts"): Promise<View> => {
    const visit = await openVisit(ours.services, uid, asked());
    shown = visit === undefined ? { page: "unknown" } : await viewOf(visit, { again });
    if (shown.page !== "continue") return shown;
    return { ...shown, location: await throughLeaving(ours, shown.location) };
  };

  /** Sends a form of the page last looked at; the token and ticket are the page's. */
  const send = async (action: Action, fields: Fields = [], sent: Sent = {}): Promise<Response> => {
    const frame = "tokens" in shown ? (shown satisfies Frame) : undefined;
    const form = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    const token = sent.token ?? frame?.tokens[action];
    if (token !== undefined) form.append("token", token);
    if ("shown" in shown && sent.ofReleaseBefore !== true) form.append("shown", shown.shown);
    if (action === "cancel" && frame !== undefined) form.append("ticket", frame.ticket);
    const request = new Request(`${WEB_URL}/authorise/${uid}/${action}`, {
      method: "POST",
      body: form,
      headers: sent.headers ?? { ...Object.fromEntries(asked()), "sec-fetch-site": "same-origin" },
    });
    const response = await takeAnswer(ours.services, { request, uid, action });
    jar.keep(response);
    const location = response.headers.get("location");
    if (location !== null) response.headers.set("location", await throughLeaving(ours, location));
    return response;
  };

  const typePassword = (userId = "ana", password = `${userId}-sandbox`) =>
    send("login", [
      ["userId", userId],
      ["password", password],
    ]);

  const signIn = async (userId = "ana") => {
    await look();
    await typePassword(userId);
    return look();
  };

  const choose = async (...ids: readonly string[]) => {
    await send(
      "accounts",
      ids.map((id) => ["account", id] as const),
    );
    return look();
  };

  const lastCode = () => ours.bank.texts.at(-1)?.code ?? "none";
  const enterCode = (code = lastCode()) => send("confirm", [["code", code]]);

  return { jar, look, send, typePassword, signIn, choose, lastCode, enterCode };
}

/** A browser stays on the page that leads on for no longer than it takes to read the address. */
async function throughLeaving({ services }: TestBank, location: string): Promise<string> {
  const [, to] = new URL(location, WEB_URL).pathname.split("/authorise/leaving/");
  if (to === undefined) {
    // Nothing but the bank's own pages follows a form directly: P15.
    if (new URL(location, WEB_URL).origin !== WEB_URL) throw new Error(`straight to ${location}`);
    return location;
  }
  const departure = await readDeparture(services, to);
  if (departure === undefined) throw new Error("the page that leads on leads nowhere");
  return departure.location;
}

/** A PSU who has signed in and chosen an account; a code was sent. */
export async function atSummary(given: Parameters<typeof bankWithConsent>[0] = {}) {
  const ours = await bankWithConsent(given);
  const psu = browser(ours);
  await psu.signIn();
  await psu.choose("current");
  return { ours, psu };
}

export function locationOf(response: Response): string {
  return response.headers.get("location") ?? "nowhere";
}

/** The PSU's no, as it reaches the TPP. */
export function refusedAt(path = "/cb"): string {
  const iss = encodeURIComponent(ISSUER);
  return `https://tpp.example${path}?error=access_denied&state=state+of+the+TPP&iss=${iss}`;
}

/** A PSU who has signed in for a payment; a code was sent. */
export async function atPayment(given: Parameters<typeof bankWithPayment>[0] = {}) {
  const ours = bankWithPayment(given);
  const psu = browser(ours);
  const view = await psu.signIn();
  if (view.page !== "payment") throw new Error(`at ${view.page}`);
  return { ours, psu, view };
}

/** The same for a confirmation of funds consent. */
export async function atFunds(given: Parameters<typeof bankWithFundsConsent>[0] = {}) {
  const ours = bankWithFundsConsent(given);
  const psu = browser(ours);
  const view = await psu.signIn();
  if (view.page !== "funds") throw new Error(`at ${view.page}`);
  return { ours, psu, view };
}

/** A PSU with a passkey who has signed in for a payment: no code was sent. */
export async function atPaymentWithPasskey(given: Parameters<typeof bankWithPayment>[0] = {}) {
  const ours = bankWithPayment(given);
  return { ours, ...(await signedIn(ours)) };
}

/** The same with a consent, whose accounts are chosen. */
export async function atSummaryWithPasskey(given: Parameters<typeof bankWithConsent>[0] = {}) {
  const ours = await bankWithConsent(given);
  const { psu, ...own } = await signedIn(ours);
  await psu.choose("current");
  return { ours, psu, ...own };
}

async function signedIn(ours: TestBank) {
  const { device, passkey } = await enrolled(ours.services, ana);
  const psu = browser(ours);
  await psu.signIn();
  return { psu, device, passkey, confirm: confirming(psu) };
}

/** What the page's script and the browser's prompt do. */
function confirming(psu: ReturnType<typeof browser>) {
  const challenge = async (): Promise<string> => {
    const answer = await psu.send("passkey-challenge");
    if (answer.status !== 200) throw new Error(`led to ${answer.headers.get("location")}`);
    const { options } = await answer.json();
    return options.challenge;
  };
  const send = (assertion: PasskeyAssertion) =>
    psu.send("passkey", [["assertion", asBrowsersWrite(assertion)]]);
  const by = async (device: Authenticator, said: Parameters<Authenticator["use"]>[1] = {}) =>
    send(device.use(await challenge(), said));
  return { challenge, send, by };
}

export function asBrowsersWrite(given: PasskeyAssertion | PasskeyRegistration): string {
  const { credentialId, clientDataJson, ...rest } = given;
  const response = { ...rest, clientDataJSON: clientDataJson };
  const credential = { id: credentialId, rawId: credentialId, type: "public-key", response };
  return JSON.stringify({ ...credential, clientExtensionResults: {} });
}

/** Keeps the ends as the store's contract says: both limits are inclusive. */
function sessionsInMemory() {
  const rows = new Map<string, { psuId: PsuId; created: Date; seen: Date; revoked: boolean }>();
  const find: PsuSessionStore["find"] = async (hash, limits, at) => {
    const row = rows.get(hash);
    if (row === undefined || row.revoked) return undefined;
    if (row.seen < addTime(at, -limits.inactivityMinutes, "minute")) return undefined;
    if (row.created < addTime(at, -limits.sessionMinutes, "minute")) return undefined;
    return row.psuId;
  };
  const store: PsuSessionStore = {
    open: async (hash, psuId, at) => {
      rows.set(hash, { psuId, created: at, seen: at, revoked: false });
    },
    touch: async (hash, limits, at) => {
      const psuId = await find(hash, limits, at);
      const row = rows.get(hash);
      if (psuId !== undefined && row !== undefined) row.seen = at;
      return psuId;
    },
    find,
    revoke: async (hash) => {
      const row = rows.get(hash);
      if (row !== undefined) row.revoked = true;
    },
  };
  return { rows, store };
}

/** What a browser does with Set-Cookie, as far as the tests need it. */
export function cookieJar(first: string) {
  const [firstName = "", firstValue = ""] = first.split("=");
  const cookies = new Map([[firstName, firstValue]]);
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keep: (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const [name = "", value = ""] = pair.split("=");
        if (/max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}
