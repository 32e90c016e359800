import { z } from "zod";
import type { SessionHash, SignIn } from "@/lib/domain/sign-in/sign-in-store";
import { isSecure, readCookie, setCookie } from "../cookies";
import type { PsuHouse } from "../house";
import { seal, unseal } from "../sealed";
import { newSessionId, sessionHash } from "../session-id";

/** A session of the bank's own channel, as its row has it now. */
export type OwnSession =
  | { readonly state: "nobody" | "ended"; readonly id?: undefined }
  | { readonly state: "password" | "signed-in"; readonly id: string; readonly signIn: SignIn };

type SessionHouse = Pick<PsuHouse, "config" | "profile" | "signIns">;

const content = z.object({ id: z.string().min(1) });
/** The row ends the session long before; a cookie that has outlived it says so. */
const COOKIE_SECONDS = 86_400;

/** Counts as activity (RTS art. 4(3)(d)). The cookie only points; its row decides. */
export async function readOwnSession(
  { config, profile, signIns }: SessionHouse,
  cookieHeader: string | null,
  now: Date,
): Promise<OwnSession> {
  const sealed = readCookie(cookieHeader ?? "none", cookieName(config.WEB_URL));
  const pointer = await unseal(config.SESSION_SECRET, "own-session", sealed, content);
  if (pointer === undefined) return { state: "nobody" };
  const { id } = pointer;
  const signIn = await signIns.touch(await ownHash(id), profile.ownChannel, now);
  if (signIn === undefined) return { state: "ended" };
  return { state: signIn.scaDoneAt === undefined ? "password" : "signed-in", id, signIn };
}

/** A session to come. Each step that raises what a browser may do has one of its own. */
export async function newOwnSession() {
  const id = newSessionId();
  return { id, session: await ownHash(id) };
}

export async function ownCookie({ config }: Pick<PsuHouse, "config">, id: string): Promise<string> {
  const value = await seal(config.SESSION_SECRET, "own-session", { id }, COOKIE_SECONDS);
  return cookieOf(config.WEB_URL, { value });
}

/** Tells the browser to forget it. That it opens nothing any more is the row's doing. */
export function noOwnCookie({ config }: Pick<PsuHouse, "config">): string {
  return cookieOf(config.WEB_URL, { value: "", seconds: 0 });
}

type Kept = { readonly value: string; readonly seconds?: number };

function cookieOf(webUrl: string, kept: Kept): string {
  return setCookie({ name: cookieName(webUrl), path: "/", secure: isSecure(webUrl), ...kept });
}

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-own" : "drawbridge-own";
}

async function ownHash(id: string): Promise<SessionHash> {
  return (await sessionHash(id)) as SessionHash;
}
