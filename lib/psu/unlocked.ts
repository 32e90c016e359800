import { z } from "zod";
import { after } from "@/lib/domain/clock";
import { isSecure, readCookie, setCookie } from "./cookies";
import type { PsuHouse } from "./house";
import { seal, unseal } from "./sealed";

const content = z.object({ userId: z.string(), until: z.iso.datetime() });

/** The Set-Cookie of a browser in which this user ID's passkey has signed just now. */
export async function unlockedCookie(
  { config, profile }: Pick<PsuHouse, "config" | "profile">,
  userId: string,
  now: Date,
): Promise<string> {
  const minutes = profile.signInThrottle.unlockedMinutes;
  const until = after(now, minutes, "minute").toISOString();
  const value = await seal(config.SESSION_SECRET, "unlocked", { userId, until }, minutes * 60);
  const cookie = { name: cookieName(config.WEB_URL), value, path: "/" };
  return setCookie({ ...cookie, secure: isSecure(config.WEB_URL), seconds: minutes * 60 });
}

/** The user ID whose passkey has signed in this browser a while ago. */
export async function unlockedFor(
  { config }: Pick<PsuHouse, "config">,
  cookieHeader: string | null,
  now: Date,
): Promise<string | undefined> {
  const sealed = readCookie(cookieHeader ?? "none", cookieName(config.WEB_URL));
  const found = await unseal(config.SESSION_SECRET, "unlocked", sealed, content);
  return found !== undefined && now < new Date(found.until) ? found.userId : undefined;
}

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-unlocked" : "drawbridge-unlocked";
}
