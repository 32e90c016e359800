import { readDeparture } from "../departure";
import type { Action } from "../form-token";
import type { Frame } from "../frame";
import { takeAnswer } from "../take-answer";
import { type View, viewOf } from "../view";
import { openVisit } from "../visit";
import { cookieJar } from "./cookie-jar";
import { type Desk, uid as firstUid, WEB_URL } from "./desk";

type Fields = readonly (readonly [string, string])[];
type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly token?: string };

/** A browser at the desk: it keeps cookies and sends forms as they were shown. */
export function browser(desk: Desk, uid = firstUid, language = "en-GB") {
  const jar = cookieJar(`_interaction=${uid}`);
  const asked = () => new Headers({ cookie: jar.header(), "accept-language": language });
  let shown: View = { page: "unknown" };

  const look = async (again?: "accounts"): Promise<View> => {
    const visit = await openVisit(desk.house, uid, asked());
    shown = visit === undefined ? { page: "unknown" } : await viewOf(visit, { again });
    if (shown.page !== "continue") return shown;
    return { ...shown, location: await throughLeaving(desk, shown.location) };
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
      headers: sent.headers ?? { ...Object.fromEntries(asked()), "sec-fetch-site": "same-origin" },
    });
    const response = await takeAnswer(desk.house, { request, uid, action });
    jar.keep(response);
    const location = response.headers.get("location");
    if (location !== null) response.headers.set("location", await throughLeaving(desk, location));
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

/** A browser stays on the page that leads on for no longer than it takes to read the address. */
async function throughLeaving({ house }: Desk, location: string): Promise<string> {
  const [, to] = new URL(location, WEB_URL).pathname.split("/authorise/leaving/");
  if (to === undefined) {
    // Nothing but the bank's own pages follows a form directly: P15.
    if (new URL(location, WEB_URL).origin !== WEB_URL) throw new Error(`straight to ${location}`);
    return location;
  }
  const departure = await readDeparture(house, to);
  if (departure === undefined) throw new Error("the page that leads on leads nowhere");
  return departure.location;
}
