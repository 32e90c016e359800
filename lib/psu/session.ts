import { decode, encode } from "next-auth/jwt";
import * as z from "zod";
import type { Authorisation } from "@/lib/domain/authorisation";
import { newNonce } from "@/lib/domain/passkeys";
import type { SessionHash } from "@/lib/domain/sign-in";
import { addTime, type PsuId } from "@/lib/domain/values";
import { secretsIn } from "@/lib/secrets";
import type { PsuServices } from "./ports";

/**
 * Whose session the browser has, seen from one authorisation. `ended`: signed in here once, then run out
 * or closed. The cookie only points; its row decides.
 */
export type SessionState = "none" | "ended" | "another-psu" | "own";
export type Session = { readonly state: SessionState; readonly id?: string };

type SessionServices = Pick<PsuServices, "config" | "profile" | "psuSessions">;

/** `uid` is the interaction the PSU signed in at. */
const sessionContent = z.object({ id: z.string().min(1), uid: z.string().min(1) });

type Reading = {
  readonly cookieHeader: string;
  readonly uid: string;
  readonly authorisation: Authorisation;
  /** False where the page asks by itself, and nobody has done anything. */
  readonly isActivity: boolean;
  readonly now: Date;
};

/** Reads the session, which as a rule is activity (RTS art. 4(3)(d)); it binds and asks nobody. */
export async function readSession(
  { config, profile, psuSessions }: SessionServices,
  { cookieHeader, uid, authorisation, isActivity, now }: Reading,
): Promise<Session> {
  const sealed = readCookie(cookieHeader, cookieName(config.WEB_URL, "psu"));
  const pointer = await unseal(config.SESSION_SECRET, "psu-session", sealed, sessionContent);
  if (pointer === undefined) return { state: "none" };
  const { id } = pointer;
  if (authorisation.psuId === undefined) return { state: "none", id };
  const hash = await sessionHash(id);
  const read = isActivity ? psuSessions.touch : psuSessions.find;
  const psuId = await read(hash, profile.sca, now);
  if (psuId === undefined) return { state: pointer.uid === uid ? "ended" : "none", id };
  return { state: psuId === authorisation.psuId ? "own" : "another-psu", id };
}

/** A new session for each login, so that a cookie known before it is worth nothing after it. */
export async function openSession(
  { config, profile, psuSessions }: SessionServices,
  { uid, psuId, now }: { readonly uid: string; readonly psuId: PsuId; readonly now: Date },
): Promise<string> {
  const id = newNonce();
  await psuSessions.open(await sessionHash(id), psuId, now);
  // The row ends the session after this time; the cookie lasts longer so that a late Confirm can
  // still be recognised as coming from the browser that was shown the summary.
  const { windowMinutes, windowMinutesMax } = profile.sca;
  const seconds = (windowMinutesMax + windowMinutes) * 60;
  const value = await seal(config.SESSION_SECRET, "psu-session", { id, uid }, seconds);
  return setCookie(config.WEB_URL, { name: "psu", value });
}

/** From now on no copy of the cookie opens anything. */
export async function closeSession(
  { psuSessions }: Pick<PsuServices, "psuSessions">,
  { id }: Session,
  now: Date,
): Promise<void> {
  if (id !== undefined) await psuSessions.revoke(await sessionHash(id), now);
}

/** A session of the bank's own channel, as its row has it now. */
export type OwnSession = Awaited<ReturnType<typeof readOwnSession>>;

const ownSessionContent = z.object({ id: z.string().min(1) });

/** Reading it is activity (RTS art. 4(3)(d)). The cookie only points; its row decides. */
export async function readOwnSession(
  { config, profile, signIns }: Pick<PsuServices, "config" | "profile" | "signIns">,
  cookieHeader: string | null,
  now: Date,
) {
  const sealed = readCookie(cookieHeader, cookieName(config.WEB_URL, "own"));
  const pointer = await unseal(config.SESSION_SECRET, "own-session", sealed, ownSessionContent);
  if (pointer === undefined) return { state: "nobody" } as const;
  const { id } = pointer;
  const signIn = await signIns.touch(await sessionHash(id), profile.ownChannel, now);
  if (signIn === undefined) return { state: "ended" } as const;
  const state = signIn.scaDoneAt === undefined ? "password" : "signed-in";
  return { state, id, signIn } as const;
}

/** Each step that raises what a browser may do has a session of its own. */
export async function newOwnSession() {
  const id = newNonce();
  return { id, session: await sessionHash(id) };
}

/** The row ends the session long before; a cookie that has outlived it says so. */
const COOKIE_SECONDS = 86_400;

export async function ownCookie(
  { config }: Pick<PsuServices, "config">,
  id: string,
): Promise<string> {
  const value = await seal(config.SESSION_SECRET, "own-session", { id }, COOKIE_SECONDS);
  return setCookie(config.WEB_URL, { name: "own", value });
}

/** Removes it from the browser. That it opens nothing any more is the row's doing. */
export function noOwnCookie({ config }: Pick<PsuServices, "config">): string {
  return setCookie(config.WEB_URL, { name: "own", value: "", seconds: 0 });
}

const unlockedContent = z.object({ userId: z.string(), until: z.iso.datetime() });

/** The Set-Cookie of a browser in which this user ID's passkey has signed just now. */
export async function unlockedCookie(
  { config, profile }: Pick<PsuServices, "config" | "profile">,
  userId: string,
  now: Date,
): Promise<string> {
  const minutes = profile.signInThrottle.unlockedMinutes;
  const until = addTime(now, minutes, "minute").toISOString();
  const seconds = minutes * 60;
  const value = await seal(config.SESSION_SECRET, "unlocked", { userId, until }, seconds);
  return setCookie(config.WEB_URL, { name: "unlocked", value, seconds });
}

/** The user ID whose passkey has signed in this browser a while ago. */
export async function unlockedFor(
  { config }: Pick<PsuServices, "config">,
  cookieHeader: string | null,
  now: Date,
): Promise<string | undefined> {
  const sealed = readCookie(cookieHeader, cookieName(config.WEB_URL, "unlocked"));
  const found = await unseal(config.SESSION_SECRET, "unlocked", sealed, unlockedContent);
  return found !== undefined && now < new Date(found.until) ? found.userId : undefined;
}

/** The key of the session's row. */
export async function sessionHash(id: string): Promise<SessionHash> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return Buffer.from(digest).toString("hex") as SessionHash;
}

type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path?: string;
  /** Without it the cookie lasts as long as the browser. */
  readonly seconds?: number;
};

/** A cookie that only our pages read back: HttpOnly and SameSite=Lax always. */
export function setCookie(webUrl: string, { name, value, path = "/", seconds }: Cookie): string {
  const named = `${cookieName(webUrl, name, path)}=${value}`;
  const parts = [named, `Path=${path}`, "HttpOnly", "SameSite=Lax"];
  if (isSecure(webUrl)) parts.push("Secure");
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  return parts.join("; ");
}

/** `__Host-` binds a cookie to this host; only one for every path may have it (RFC 6265bis). */
export function cookieName(webUrl: string, name: string, path = "/"): string {
  if (!isSecure(webUrl)) return `drawbridge-${name}`;
  return `${path === "/" ? "__Host" : "__Secure"}-drawbridge-${name}`;
}

function isSecure(webUrl: string): boolean {
  return webUrl.startsWith("https:");
}

export function readCookie(header: string | null, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

/** What a sealed text is for: a text sealed for one purpose opens for no other. */
export type Purpose =
  | `new-passkey ${string}`
  | "own-session"
  | "unlock-challenge"
  | "unlocked"
  | "psu-session"
  | `outcome ${string}`
  | "psu-way-back"
  | "psu-departure"
  | "provider-round"
  | "staff-session"
  | `staff-said ${string}`
  | `staff-search ${string}`
  | `staff-block-request ${string}`;

/**
 * Encrypts and authenticates, in next-auth's session format (JWE, A256GCM). The seconds are real
 * ones, as those of a cookie are, and open nothing: what a sealed text points at is a row, and rows
 * are judged by the bank's clock. Of several secrets the first seals, and each of them opens.
 */
export function seal(
  secrets: string,
  purpose: Purpose,
  content: Readonly<Record<string, unknown>>,
  seconds: number,
): Promise<string> {
  const [secret] = secretsIn(secrets);
  return encode({ token: content, secret, salt: purpose, maxAge: seconds });
}

/** The content, or undefined for anything that this bank has not sealed for this purpose. */
export async function unseal<Content>(
  secrets: string,
  purpose: Purpose,
  text: string | undefined,
  schema: z.ZodType<Content>,
): Promise<Content | undefined> {
  if (text === undefined) return undefined;
  for (const secret of secretsIn(secrets)) {
    // Foreign, altered and outdated texts are all the same: not ours.
    const content = await decode({ token: text, secret, salt: purpose }).catch(() => undefined);
    if (content !== undefined) return schema.safeParse(content).data;
  }
  return undefined;
}
