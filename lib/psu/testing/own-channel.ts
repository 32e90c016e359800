import { authenticator } from "@/lib/domain/testing/authenticator";
import { validFundsConsent } from "@/lib/domain/testing/journeys";
import { ana, current, multiEur, validConsent } from "@/lib/domain/testing/samples";
import { type OwnAction, ownActions } from "../form-token";
import { refusalsView } from "../opt-outs";
import { passkeysView, removePasskeyView } from "../passkeys";
import { permissionAsked } from "../paths";
import { permissionsView, permissionView, revokeView } from "../permissions-view";
import { pageOf, takeOwnForm } from "../request";
import { signInView } from "../sign-in-view";
import { isSignedIn, openOwnVisit } from "../visit";
import {
  asBrowsersWrite,
  bankWithConsent,
  cookieJar,
  receivedPayment,
  savings,
  type TestBank,
  WEB_URL,
} from "./authorisation";

type Fields = Readonly<Record<string, string>>;
type Sent = {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
};

/** A browser at the bank's own channel: it keeps cookies and sends forms as they were shown. */
export function ownBrowser(ours: TestBank, language = "en-GB") {
  const jar = cookieJar("nothing=here");
  const tokens = new Map<OwnAction, string>();
  const asked = () => new Headers({ cookie: jar.header(), "accept-language": language });
  const visit = () => openOwnVisit(ours.services, asked());

  const look = async (to?: string) => {
    const view = await signInView(await visit(), to);
    tokens.clear();
    if (view.page === "onward") return view;
    tokens.set(view.page === "code" ? "code" : "password", view.token);
    if (view.page === "code") tokens.set("new-code", view.newCodeToken);
    tokens.set("sign-out", view.signOutToken);
    tokens.set("stay", view.stayToken);
    return view;
  };

  /** What `viewOf` shows to whom SCA is done; `to-sign-in` to everybody else. */
  const inside = async <View>(
    viewOf: (signedIn: Parameters<typeof permissionsView>[0]) => Promise<View>,
  ) => {
    const arrived = await visit();
    if (!isSignedIn(arrived)) return { page: "to-sign-in" } as const;
    const view = await viewOf(arrived);
    if (typeof view === "object" && view !== null) {
      if ("signOutToken" in view) tokens.set("sign-out", String(view.signOutToken));
      if ("stayToken" in view) tokens.set("stay", String(view.stayToken));
      if ("token" in view) tokens.set("revoke", String(view.token));
      if ("tokens" in view) {
        for (const [action, token] of Object.entries(view.tokens as object)) {
          tokens.set(action as OwnAction, String(token));
        }
      }
    }
    return view;
  };
  const address = (target: string) => {
    const found = permissionAsked(target);
    if (found === undefined) throw new Error(`${target} is the address of none`);
    return found;
  };

  const send = async (action: OwnAction, fields: Fields = {}, sent: Sent = {}) => {
    const form = new URLSearchParams(fields);
    const token = sent.token === undefined ? tokens.get(action) : sent.token;
    if (token !== undefined && token !== null) form.append("token", token);
    const request = new Request(`${WEB_URL}${pageOf(action, sent.target).path}`, {
      method: "POST",
      body: form,
      headers: sent.headers ?? { ...Object.fromEntries(asked()), "sec-fetch-site": "same-origin" },
    });
    const response = await takeOwnForm(ours.services, { request, action, target: sent.target });
    jar.keep(response);
    return response;
  };

  const typePassword = async (userId = "ana", password = `${userId}-sandbox`) => {
    await look();
    return send("password", { userId, password });
  };
  const lastCode = () => ours.bank.texts.at(-1)?.code ?? "none";
  const signIn = async (userId = "ana") => {
    await typePassword(userId);
    await look();
    return send("code", { code: lastCode() });
  };

  return {
    jar,
    tokens,
    look,
    send,
    typePassword,
    signIn,
    lastCode,
    visit,
    list: (query: object = {}) => inside((signedIn) => permissionsView(signedIn, query)),
    refusals: (query: object = {}) => inside((signedIn) => refusalsView(signedIn, query)),
    details: (target: string, after?: string) =>
      inside((signedIn) => permissionView(signedIn, address(target), after)),
    revoking: (target: string) => inside((signedIn) => revokeView(signedIn, address(target))),
    inside,
  };
}

export const everyAction: readonly OwnAction[] = ownActions;

/** ana at her permissions: one of each kind, all of one TPP. */
export async function atPermissions(language?: string) {
  const ours = await bankWithConsent();
  const services = { bank: ours.bank, ports: ours.services };
  const funds = await validFundsConsent(services);
  const accounts = await validConsent(services, {}, [current, savings]);
  ours.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const payment = receivedPayment(services);
  const authorisation = ours.bank.authorisations.get(payment.authorisationId);
  if (authorisation === undefined) throw new Error("no authorisation");
  ours.bank.authorisations.set(authorisation.id, { ...authorisation, psuId: ana });
  const psu = ownBrowser(ours, language);
  await psu.signIn();
  const read = (what: "accounts" | "balances", attended: boolean) =>
    ours.bank.reads.push({
      consentId: accounts.id,
      tppId: accounts.tppId,
      what,
      ...(what === "balances" && { accountId: current.id }),
      at: accounts.createdAt,
      attended,
    });
  return {
    ours,
    psu,
    read,
    accounts: `accounts/${accounts.id}`,
    funds: `funds/${funds.id}`,
    payment: `payments/${payment.id}`,
    consentId: accounts.id,
  };
}

type OwnBrowser = ReturnType<typeof ownBrowser>;

/** ana at her passkeys, signed in a moment ago. */
export async function atPasskeys(language?: string) {
  const ours = await bankWithConsent();
  const psu = ownBrowser(ours, language);
  await psu.signIn();
  return { ours, psu, ...enrolling(psu) };
}

/** What the page's script and the browser's prompt do. */
function enrolling(psu: OwnBrowser) {
  const look = async () => {
    const view = await psu.inside(passkeysView);
    if (view.page !== "passkeys") throw new Error(view.page);
    return view;
  };
  const asked = async () => {
    const answer = await psu.send("passkey-options", {}, { token: (await look()).optionsToken });
    return answer.json();
  };
  const add = async (fields: Readonly<Record<string, string>>) =>
    psu.send("add-passkey", { name: "Phone", ...fields }, { token: (await look()).addToken });
  const enrol = async (device = authenticator(), name = "Phone") => {
    const { options, sealed } = await asked();
    const assertion = asBrowsersWrite(device.make(options.challenge));
    await add({ name, sealed, assertion });
    return device;
  };
  const remove = async (id: string) => {
    const view = await psu.inside((visit) => removePasskeyView(visit, id));
    const token = view !== undefined && "token" in view ? view.token : "none";
    return psu.send("remove-passkey", {}, { target: id, token });
  };
  return { look, asked, add, enrol, remove };
}
