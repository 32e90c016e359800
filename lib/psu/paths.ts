import { type PermissionKind, permissionKinds } from "@/lib/domain/permissions";
import { isUuid, type TppId } from "@/lib/domain/values";
import type { Action } from "./form-token";
import { carryOutcome, type Outcome } from "./outcome";
import type { Visit } from "./visit";

/** Every form is answered like this, so that a reload never sends it again. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** For a page's own script. */
export function jsonAnswer(content: unknown): Response {
  return Response.json(content, { headers: { "Cache-Control": "no-store" } });
}

/** The page of an authorisation; `again` asks an earlier question once more. */
export function pagePath(uid: string, again?: "accounts"): string {
  const query = again === undefined ? "" : `?question=${again}`;
  return `/authorise/${encodeURIComponent(uid)}${query}`;
}

export function formPath(uid: string, action: Action): string {
  return `${pagePath(uid)}/${action}`;
}

/** Where the bank's identity provider is asked for a sign-in. */
export function providerPath(uid: string): string {
  return `${pagePath(uid)}/sign-in`;
}

/** The same for a confirmation of what the page shows, by its link hash. */
export function stepUpPath(uid: string, shown: string): string {
  return `${pagePath(uid)}/step-up?shown=${shown}`;
}

/** Back to the page, which shows the question that is open now, and what came of the last answer. */
export async function toPage(
  { services, interaction: { uid } }: Visit,
  { outcome, again, cookies = [] }: Back = {},
): Promise<Response> {
  const carried = await carryOutcome({ path: pagePath(uid), config: services.config }, outcome);
  return seeOther(pagePath(uid, again), [carried, ...cookies]);
}

type Back = {
  readonly outcome?: Outcome;
  readonly again?: "accounts";
  readonly cookies?: readonly string[];
};

/** Pages of the bank's own channel that a sign-in may lead on to; a browser is led nowhere else. */
const inside = /^\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}$/;

export const HOME = "/permissions";
export const PASSKEYS = "/passkeys";
export const REFUSALS = "/permissions/refusals";

/** Also for a PSU who comes from an authorisation, and is led back to it. */
const passkeyList = /^\/passkeys(\/from\/[\w-]{1,64})?$/;

export function isPasskeyList(path: string | null): path is string {
  return path !== null && passkeyList.test(path);
}

/** `uid`: of the authorisation that the PSU adds a passkey for. */
export function passkeysPath(uid?: string): string {
  const path = `${PASSKEYS}/from/${uid}`;
  return uid !== undefined && isPasskeyList(path) ? path : PASSKEYS;
}

export function ownPath(to: unknown): string {
  return typeof to === "string" && inside.test(to) ? to : HOME;
}

export function signInPath(to: unknown): string {
  return `/sign-in?to=${ownPath(to)}`;
}

/** Where the bank's identity provider is asked to sign somebody in. */
export function providerSignInPath(to: string): string {
  return `/identity/sign-in?to=${to}`;
}

export type PermissionAddress = { readonly kind: PermissionKind; readonly id: string };

export function permissionPath({ kind, id }: PermissionAddress): string {
  return `/permissions/${kind}/${id}`;
}

/** What is looked for in the list of permissions, as the address has it. */
export type PermissionSearch = {
  readonly text?: string | undefined;
  readonly kind?: PermissionKind | undefined;
  /** What is in force where it says nothing. */
  readonly state?: "past" | "all" | undefined;
  readonly tpp?: string | undefined;
  readonly after?: string | undefined;
};

export function listPath(search: PermissionSearch): string {
  return withQuery(HOME, search);
}

function withQuery(path: string, asked: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(asked).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(known as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
}

export function refusalsPath(tpp: TppId | undefined, after?: string): string {
  return withQuery(REFUSALS, { tpp, after });
}

/** Undefined for an address that no permission can have. */
export function permissionAsked(target: string | undefined): PermissionAddress | undefined {
  const [first, id, ...more] = target?.split("/") ?? [];
  const kind = permissionKinds.find((known) => known === first);
  if (kind === undefined || id === undefined || !isUuid(id) || more.length > 0) return undefined;
  return { kind, id };
}

/**
 * The pages on which the language can be switched, as a form may name them. A browser is led back to
 * nothing else: a path of the bank's own, without a host, for each kind of page.
 */
const ownPages: readonly RegExp[] = [
  /^\/$/,
  /^\/authorise\/[\w-]{1,128}(\?question=accounts)?$/,
  /^\/authorise\/ended\?reason=[a-z-]{1,32}$/,
  /^\/authorise\/leaving\/[\w.-]{1,8192}$/,
  /^\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}(\?[\w%&=.+*-]{1,2000})?$/,
  /^\/sign-in\?to=\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}$/,
  /^\/sign-out$/,
];

/** No page has this address: it leads to the one that says so. */
export const NO_PAGE = "/not-found";

export function ownPage(path: string | null): string {
  const known = path !== null && ownPages.some((page) => page.test(path));
  return known ? path : NO_PAGE;
}

/** Where the forms that switch the language go. */
export const SWITCH_PATH = "/language";
