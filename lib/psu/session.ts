import { z } from "zod";
import type { PsuId } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { isSecure, readCookie, setCookie } from "./cookies";
import type { PsuHouse } from "./house";
import { seal, unseal } from "./sealed";
import { newSessionId, sessionHash } from "./session-id";

/**
 * Who is at the keyboard, seen from one authorisation. `ended`: signed in here once, then run out
 * or closed. The cookie only points; its row decides.
 */
export type SessionState = "none" | "ended" | "another-psu" | "own";
export type Session = { readonly state: SessionState; readonly id?: string };

type SessionHouse = Pick<PsuHouse, "config" | "profile" | "psuSessions">;

/** `uid` is the interaction the PSU signed in at. */
const content = z.object({ id: z.string().min(1), uid: z.string().min(1) });

/** Reads the session and counts as activity (RTS art. 4(3)(d)); nobody is bound, nobody is asked. */
export async function readSession(
  house: SessionHouse,
  { cookieHeader, uid, authorisation, now }: Reading,
): Promise<Session> {
  const { config, profile, psuSessions } = house;
  const sealed = readCookie(cookieHeader, cookieName(config.WEB_URL));
  const pointer = await unseal(config.SESSION_SECRET, "psu-session", sealed, content);
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
  { config, profile, psuSessions }: SessionHouse,
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
  return setCookie({ name: cookieName(config.WEB_URL), value, path: "/", secure });
}

/** The row is dead from now on, whoever holds the cookie. */
export async function closeSession(
  { psuSessions }: Pick<PsuHouse, "psuSessions">,
  { id }: Session,
  now: Date,
): Promise<void> {
  if (id !== undefined) await psuSessions.revoke(await sessionHash(id), now);
}

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-psu" : "drawbridge-psu";
}
