import { type OwnAction, ownActions } from "../own-channel/form-token";
import { permissionAsked } from "../own-channel/permission-path";
import { permissionsView, permissionView, revokeView } from "../own-channel/permissions-view";
import { signInView } from "../own-channel/sign-in-view";
import { pageOf, takeOwnForm } from "../own-channel/take-form";
import { isSignedIn, openOwnVisit } from "../own-channel/visit";
import { cookieJar } from "./cookie-jar";
import { type Desk, WEB_URL } from "./desk";

type Fields = Readonly<Record<string, string>>;
type Sent = {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
};

/** A browser at the bank's own channel: it keeps cookies and sends forms as they were shown. */
export function ownBrowser(desk: Desk, language = "en-GB") {
  const jar = cookieJar("nothing=here");
  const tokens = new Map<OwnAction, string>();
  const asked = () => new Headers({ cookie: jar.header(), "accept-language": language });
  const visit = () => openOwnVisit(desk.house, asked());

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
    const response = await takeOwnForm(desk.house, { request, action, target: sent.target });
    jar.keep(response);
    return response;
  };

  const typePassword = async (userId = "ana", password = `${userId}-sandbox`) => {
    await look();
    return send("password", { userId, password });
  };
  const lastCode = () => desk.bank.texts.at(-1)?.code ?? "none";
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
    list: (page?: string) => inside((signedIn) => permissionsView(signedIn, page)),
    details: (target: string, after?: string) =>
      inside((signedIn) => permissionView(signedIn, address(target), after)),
    revoking: (target: string) => inside((signedIn) => revokeView(signedIn, address(target))),
    inside,
  };
}

export const everyAction: readonly OwnAction[] = ownActions;
