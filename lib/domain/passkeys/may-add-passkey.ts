import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { SignIn } from "../sign-in/sign-in-store";

/**
 * A passkey will stand for its PSU from now on, so it takes an SCA that was done just now (RTS art.
 * 24(2)(b)): a browser that was left open, or a cookie that was copied, adds none.
 */
export function mayAddPasskey(
  { ownChannel }: AspspProfile,
  { scaDoneAt }: Pick<SignIn, "scaDoneAt">,
  now: Date,
): boolean {
  return scaDoneAt !== undefined && now < after(scaDoneAt, ownChannel.addPasskeyMinutes, "minute");
}
