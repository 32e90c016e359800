import type { ResourceKind } from "@/lib/domain/authorisation";

export const HOME = "/staff";
/** The host gives these two their status, see lib/server/browser-host.ts. */
export const FORBIDDEN = "/staff/forbidden";
export const NOT_FOUND = "/staff/not-found";
export const SIGN_OUT = "/staff/sign-out";
export const STAY = "/staff/stay";
export const SEARCH = "/staff/search";
export const TPPS = "/staff/tpps";
export const BLOCKS = "/staff/blocks";
export const STATISTICS = "/staff/statistics";
export const HEALTH = "/staff/health";
export const KEYS = "/staff/keys";
export const EVENTS = "/staff/events";
export const SWITCH_PATH = "/staff/language";
/** Of the files of tables, by their names in lib/staff/downloads.ts. */
export const CSV = "/staff/csv";

/** A page of the console; a browser is led nowhere else. */
const PAGE = /^\/staff(\/[\w.%~-]{1,200}){0,5}$/;

export function staffPath(path: unknown): string {
  return typeof path === "string" && PAGE.test(path) ? path : HOME;
}

export function casePath({
  kind,
  id,
}: {
  readonly kind: ResourceKind;
  readonly id: string;
}): string {
  return `/staff/cases/${kind}/${id}`;
}

/** A part of an address as it was before it was encoded; what is encoded wrongly is nobody's. */
export function decodedPart(part = "none"): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "none";
  }
}

export function customerPath(psuId: string): string {
  return `/staff/customers/${encodeURIComponent(psuId)}`;
}

export function staffSignInPath(to: unknown): string {
  return `/staff/sign-in?to=${encodeURIComponent(staffPath(to))}`;
}

/** Where the bank's provider is asked to sign an operator in. */
export function staffProviderPath(to: string): string {
  return `/staff/identity/sign-in?to=${encodeURIComponent(to)}`;
}

/** Identifiers of TPPs may hold any visible character. */
export function tppPath(tppId: string): string {
  return `${TPPS}/${encodeURIComponent(tppId)}`;
}

export function blockPath(id: string): string {
  return `${BLOCKS}/${encodeURIComponent(id)}`;
}
