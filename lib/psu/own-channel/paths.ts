/** Pages of the bank's own channel that a sign-in may lead on to; a browser is led nowhere else. */
const inside = /^\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}$/;

export const HOME = "/permissions";
export const PASSKEYS = "/passkeys";

export function ownPath(to: unknown): string {
  return typeof to === "string" && inside.test(to) ? to : HOME;
}

export function signInPath(to: unknown): string {
  return `/sign-in?to=${ownPath(to)}`;
}
