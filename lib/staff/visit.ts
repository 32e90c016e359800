import { headers } from "next/headers";
import * as z from "zod";
import type { Operator } from "@/lib/domain/staff";
import type { TimeLimits } from "@/lib/psu/frame";
import { requestLanguage } from "@/lib/psu/language";
import {
  cookieName,
  newOwnSession,
  readCookie,
  seal,
  sessionHash,
  setCookie,
  unseal,
} from "@/lib/psu/session";
import type { Language } from "@/lib/psu/texts/formats";
import type { Services } from "@/lib/services";

/** One request of an operator's browser. */
export type StaffVisit = {
  readonly services: Services;
  readonly operator: Operator;
  /** Of the session, as the cookie holds it: what is sealed or signed for it is worth nothing elsewhere. */
  readonly sessionId: string;
  readonly cookieHeader: string | null;
  readonly language: Language;
  readonly now: Date;
};

type RequestHeaders = Pick<Headers, "get">;

/** Undefined for a browser whose session was ended or has expired, or that has none. Reading it is activity. */
export async function openStaffVisit(
  services: Services,
  asked: RequestHeaders,
): Promise<StaffVisit | undefined> {
  const cookieHeader = asked.get("cookie");
  const sessionId = await staffSessionId(services, cookieHeader);
  if (sessionId === undefined) return undefined;
  const now = await services.clock.now();
  const { staffSessions, profile } = services;
  const operator = await staffSessions.touch(await sessionHash(sessionId), profile.staff, now);
  if (operator === undefined) return undefined;
  const language = staffLanguage(services, asked);
  return { services, operator, sessionId, cookieHeader, language, now };
}

const sessionContent = z.object({ id: z.string().min(1) });

type Configured = Pick<Services, "config">;

async function staffSessionId({ config }: Configured, cookieHeader: string | null) {
  const sealed = readCookie(cookieHeader, cookieName(config.STAFF_URL, COOKIE));
  const found = await unseal(config.SESSION_SECRET, "staff-session", sealed, sessionContent);
  return found?.id;
}

/** No cookie of a PSU's: on this machine both hosts may have one name, and cookies know no port. */
const COOKIE = "staff";
/** The row ends the session long before. */
const COOKIE_SECONDS = 86_400;

/** A new session for each sign-in, so that a cookie known before is worth nothing after it; yields its Set-Cookie. */
export async function openStaffSession(services: Services, operator: Operator): Promise<string> {
  const { config, staffSessions, clock } = services;
  const { id, session } = await newOwnSession();
  await staffSessions.open(session, operator, await clock.now());
  const value = await seal(config.SESSION_SECRET, "staff-session", { id }, COOKIE_SECONDS);
  return setCookie(config.STAFF_URL, { name: COOKIE, value });
}

/** From now on no copy of the cookie opens anything; yields the Set-Cookie that removes it. */
export async function endStaffSession({ services, sessionId, now }: StaffVisit): Promise<string> {
  await services.staffSessions.end(await sessionHash(sessionId), now);
  return setCookie(services.config.STAFF_URL, { name: COOKIE, value: "", seconds: 0 });
}

/** Being asked for a page was activity, so that the session has its whole time again. */
export function staffLimits({ services }: StaffVisit): TimeLimits {
  return { signedInSeconds: services.profile.staff.inactivityMinutes * 60, extendable: false };
}

export function staffLanguage({ config, profile }: Services, asked: RequestHeaders): Language {
  return requestLanguage({ config: { WEB_URL: config.STAFF_URL }, profile }, asked);
}

/** Of a page, whether or not anybody is signed in. */
export async function staffPageLanguage(services: Services): Promise<Language> {
  return staffLanguage(services, await headers());
}
