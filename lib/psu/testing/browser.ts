import type { Action } from "../form-token";
import { takeAnswer } from "../take-answer";
import { type Frame, type View, viewOf } from "../view";
import { openVisit } from "../visit";
import { cookieJar } from "./cookie-jar";
import { type Desk, uid as firstUid, WEB_URL } from "./desk";

type Fields = readonly (readonly [string, string])[];
type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly token?: string };

/** A browser at the desk: it keeps cookies and sends forms as they were shown. */
export function browser(desk: Desk, uid = firstUid) {
  const jar = cookieJar(`_interaction=${uid}`);
  let shown: View = { page: "unknown" };

  const look = async (again?: "accounts"): Promise<View> => {
    const visit = await openVisit(desk.house, uid, jar.header());
    shown = visit === undefined ? { page: "unknown" } : await viewOf(visit, { again });
    return shown;
  };

  /** Sends a form of the page last looked at; the token and ticket are the page's. */
  const send = async (action: Action, fields: Fields = [], sent: Sent = {}): Promise<Response> => {
    const frame = "tokens" in shown ? (shown satisfies Frame) : undefined;
    const form = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    const token = sent.token ?? frame?.tokens[action];
    if (token !== undefined) form.append("token", token);
    if (action === "cancel" && frame !== undefined) form.append("ticket", frame.ticket);
    const request = new Request(`${WEB_URL}/authorise/${uid}/${action}`, {
      method: "POST",
      body: form,
      headers: sent.headers ?? { cookie: jar.header(), "sec-fetch-site": "same-origin" },
    });
    const response = await takeAnswer(desk.house, { request, uid, action });
    jar.keep(response);
    return response;
  };

  const signIn = async (userId = "ana") => {
    await look();
    await send("login", [
      ["userId", userId],
      ["password", `${userId}-sandbox`],
    ]);
    return look();
  };

  const choose = async (...ids: readonly string[]) => {
    await send(
      "accounts",
      ids.map((id) => ["account", id] as const),
    );
    return look();
  };

  const lastCode = () => desk.bank.texts.at(-1)?.code ?? "none";

  return { jar, look, send, signIn, choose, lastCode };
}
