import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import type { Authorisation } from "@/lib/domain/authorisation";
import type { SessionHash, SignIn } from "@/lib/domain/sign-in";
import { addTime, type PsuId } from "@/lib/domain/values";
import type { PsuServices } from "./services";

/**
 * Who is at the keyboard, seen from one authorisation. `ended`: signed in here once, then run out
 * or closed. The cookie only points; its row decides.
 */
export type SessionState = "none" | "ended" | "another-psu" | "own";
export type Session = { readonly state: SessionState; readonly id?: string };

type SessionServices = Pick<PsuServices, "config" | "profile" | "psuSessions">;

/** `uid` is the interaction the PSU signed in at. */
const sessionContent = z.object({ id: z.string().min(1), uid: z.string().min(1) });

/** Reads the session and counts as activity (RTS art. 4(3)(d)); nobody is bound, nobody is asked. */
export async function readSession(
  house: SessionServices,
  { cookieHeader, uid, authorisation, now }: Reading,
): Promise<Session> {
  const { config, profile, psuSessions } = house;
  const sealed = readCookie(cookieHeader, sessionCookieName(config.WEB_URL));
  const pointer = await unseal(config.SESSION_SECRET, "psu-session", sealed, sessionContent);
  if (pointer === undefined) return { state: "none" };
  const { id } = pointer;
  if (authorisation.psuId === undefined) return { state: "none", id };
  const { inactivityMinutes, sessionMinutes } = profile.sca;
  const psuId = await psuSessions.touch(
    await sessionHash(id),
    now,
    inactivityMinutes,
    sessionMinutes,
  );
  if (psuId === undefined) return { state: pointer.uid === uid ? "ended" : "none", id };
  return { state: psuId === authorisation.psuId ? "own" : "another-psu", id };
}

type Reading = {
  readonly cookieHeader: string;
  readonly uid: string;
  readonly authorisation: Authorisation;
  readonly now: Date;
};

/** A new session for each login, so that a cookie known before it is worth nothing after it. */
export async function openSession(
  { config, profile, psuSessions }: SessionServices,
  { uid, psuId, now }: { readonly uid: string; readonly psuId: PsuId; readonly now: Date },
): Promise<string> {
  const id = newSessionId();
  await psuSessions.open(await sessionHash(id), psuId, now);
  // The row ends the session after this time; the cookie lasts longer so that a late Confirm can
  // still be recognised as coming from the browser that was shown the summary.
  const { windowMinutes, windowMinutesMax } = profile.sca;
  const seconds = (windowMinutesMax + windowMinutes) * 60;
  const value = await seal(config.SESSION_SECRET, "psu-session", { id, uid }, seconds);
  const secure = isSecure(config.WEB_URL);
  return setCookie({ name: sessionCookieName(config.WEB_URL), value, path: "/", secure });
}

/** The row is dead from now on, whoever holds the cookie. */
export async function closeSession(
  { psuSessions }: Pick<PsuServices, "psuSessions">,
  { id }: Session,
  now: Date,
): Promise<void> {
  if (id !== undefined) await psuSessions.revoke(await sessionHash(id), now);
}

function sessionCookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-psu" : "drawbridge-psu";
}

/** A session of the bank's own channel, as its row has it now. */
export type OwnSession =
  | { readonly state: "nobody" | "ended"; readonly id?: undefined }
  | { readonly state: "password" | "signed-in"; readonly id: string; readonly signIn: SignIn };

type OwnSessionServices = Pick<PsuServices, "config" | "profile" | "signIns">;

const ownSessionContent = z.object({ id: z.string().min(1) });
/** The row ends the session long before; a cookie that has outlived it says so. */
const COOKIE_SECONDS = 86_400;

/** Counts as activity (RTS art. 4(3)(d)). The cookie only points; its row decides. */
export async function readOwnSession(
  { config, profile, signIns }: OwnSessionServices,
  cookieHeader: string | null,
  now: Date,
): Promise<OwnSession> {
  const sealed = readCookie(cookieHeader ?? "none", ownSessionCookieName(config.WEB_URL));
  const pointer = await unseal(config.SESSION_SECRET, "own-session", sealed, ownSessionContent);
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

export async function ownCookie(
  { config }: Pick<PsuServices, "config">,
  id: string,
): Promise<string> {
  const value = await seal(config.SESSION_SECRET, "own-session", { id }, COOKIE_SECONDS);
  return ownSessionCookie(config.WEB_URL, { value });
}

/** Tells the browser to forget it. That it opens nothing any more is the row's doing. */
export function noOwnCookie({ config }: Pick<PsuServices, "config">): string {
  return ownSessionCookie(config.WEB_URL, { value: "", seconds: 0 });
}

type KeptOwnSession = { readonly value: string; readonly seconds?: number };

function ownSessionCookie(webUrl: string, kept: KeptOwnSession): string {
  return setCookie({
    name: ownSessionCookieName(webUrl),
    path: "/",
    secure: isSecure(webUrl),
    ...kept,
  });
}

function ownSessionCookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-own" : "drawbridge-own";
}

async function ownHash(id: string): Promise<SessionHash> {
  return (await sessionHash(id)) as SessionHash;
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
  const value = await seal(config.SESSION_SECRET, "unlocked", { userId, until }, minutes * 60);
  const cookie = { name: unlockedCookieName(config.WEB_URL), value, path: "/" };
  return setCookie({ ...cookie, secure: isSecure(config.WEB_URL), seconds: minutes * 60 });
}

/** The user ID whose passkey has signed in this browser a while ago. */
export async function unlockedFor(
  { config }: Pick<PsuServices, "config">,
  cookieHeader: string | null,
  now: Date,
): Promise<string | undefined> {
  const sealed = readCookie(cookieHeader ?? "none", unlockedCookieName(config.WEB_URL));
  const found = await unseal(config.SESSION_SECRET, "unlocked", sealed, unlockedContent);
  return found !== undefined && now < new Date(found.until) ? found.userId : undefined;
}

function unlockedCookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-unlocked" : "drawbridge-unlocked";
}

/** What the browser's cookie holds, sealed; it is kept nowhere else. */
function newSessionId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** What the session's row is known by. */
async function sessionHash(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return Buffer.from(digest).toString("hex");
}

/** A cookie that only our pages read back: HttpOnly and SameSite=Lax always. */
type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** Without it the cookie lasts as long as the browser. */
  readonly seconds?: number;
};

export function setCookie({ name, value, path, secure, seconds }: Cookie): string {
  const parts = [`${name}=${value}`, `Path=${path}`, "HttpOnly", "SameSite=Lax"];
  if (secure) parts.push("Secure");
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  return parts.join("; ");
}

export function readCookie(header: string, name: string): string | undefined {
  const start = `${name}=`;
  return header
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

export function isSecure(webUrl: string): boolean {
  return webUrl.startsWith("https:");
}

/** What a sealed text is for: a text sealed for one purpose opens for no other. */
type Purpose =
  | `new-passkey ${string}`
  | "own-session"
  | "unlock-challenge"
  | "unlocked"
  | `own-outcome ${string}`
  | "psu-session"
  | `psu-outcome ${string}`
  | "psu-way-back"
  | "psu-departure";

/**
 * Encrypts and authenticates, in next-auth's session format (JWE, A256GCM). The seconds are real
 * ones, as those of a cookie are, and open nothing: what a sealed text points at is a row, and rows
 * are judged by the bank's clock.
 */
export function seal(
  secret: string,
  purpose: Purpose,
  content: Readonly<Record<string, unknown>>,
  seconds: number,
): Promise<string> {
  return encode({ token: content, secret, salt: purpose, maxAge: seconds });
}

/** The content, or undefined for anything that this house has not sealed for this purpose. */
export async function unseal<Content>(
  secret: string,
  purpose: Purpose,
  text: string | undefined,
  schema: z.ZodType<Content>,
): Promise<Content | undefined> {
  if (text === undefined) return undefined;
  try {
    const content = await decode({ token: text, secret, salt: purpose });
    return schema.safeParse(content).data;
  } catch {
    // Foreign, altered and outdated texts are all the same: not ours.
    return undefined;
  }
}
