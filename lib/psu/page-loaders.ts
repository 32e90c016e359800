import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Ports } from "@/lib/domain/ports";
import type { MovableClock } from "@/lib/domain/values";
import { ignoringOutages } from "@/lib/outage";
import { services } from "@/lib/services";
import { type View, viewOf } from "./authorisation-view";
import { frameOf, ownFrameOf } from "./frame";
import { pageLanguage } from "./language";
import { type Departure, readDeparture } from "./leave";
import { ownStep } from "./pages";
import {
  type PasskeysView,
  passkeysView,
  type RemovePasskeyView,
  removePasskeyView,
} from "./passkeys";
import { NO_PAGE, ownPath, PASSKEYS, permissionAsked, signInPath } from "./paths";
import {
  type PermissionsView,
  type PermissionView,
  permissionsView,
  permissionView,
  type RevokeView,
  revokeView,
} from "./permissions-view";
import { logFault, type PsuServices } from "./services";
import { type SignInView, signInView } from "./sign-in-view";
import type { Language } from "./texts/formats";
import { textsFor } from "./texts/texts-for";
import {
  isSignedIn,
  type OwnVisit,
  openOwnVisit,
  openVisit,
  type SignedInVisit,
  type Visit,
} from "./visit";

/** Who opens the page of an authorisation. A fault has a page too: Next's own needs JavaScript. */
type LoadedAuthorisation = Visit | "unknown" | "fault";

async function loadAuthorisation(uid: string): Promise<LoadedAuthorisation> {
  const asked = await headers();
  try {
    const ours: PsuServices = services();
    return (await openVisit(ours, uid, asked)) ?? "unknown";
  } catch (error) {
    logFault("GET authorise", error);
    return "fault";
  }
}

export async function viewFor(arrival: LoadedAuthorisation, question: unknown): Promise<View> {
  if (typeof arrival === "string") return { page: arrival };
  try {
    return await viewOf(arrival, { again: question === "accounts" ? question : undefined });
  } catch (error) {
    logFault("GET authorise", error);
    return { page: "fault", frame: await frameOf(arrival).catch(() => undefined) };
  }
}

/** Of whoever has no open request, the language is what the browser says. */
export function languageOf(arrival: LoadedAuthorisation): Promise<Language> | Language {
  return typeof arrival === "string" ? pageLanguage() : arrival.language;
}

/** Where the browser is led on to; undefined when that was not this bank's word, or is out of date. */
export function departureOf(to: unknown): Promise<Departure | undefined> {
  return readDeparture(services(), to);
}

/** Layout and page of one request ask for the same arrival, which is looked up once. */
export const loadAuthorisationOnce = cache(loadAuthorisation);

/** A fault of ours has a page too: Next's own needs JavaScript. */
type Fault = { readonly page: "fault" };
const FAULT: Fault = { page: "fault" };

export function loadSignIn(to: unknown): Promise<SignInView | Fault> {
  return loadOwnChannel(async (visit) => signInView(visit, to));
}

type SignOutView =
  | { readonly page: "signed-in"; readonly token: string }
  | { readonly page: "signed-out" };

export function loadSignOut(): Promise<SignOutView | Fault> {
  return loadOwnChannel(async (visit) =>
    "signIn" in visit.session
      ? { page: "signed-in", token: (await ownFrameOf(visit)).signOutToken }
      : { page: "signed-out" },
  );
}

export function loadPermissions(page: unknown): Promise<PermissionsView | Fault> {
  return loadSignedIn("/permissions", (visit) => permissionsView(visit, page));
}

type Params = { readonly kind: string; readonly id: string };

/** An address of none, and another PSU's, lead to the page that says there is nothing here. */
export function loadPermission(params: Params, after: unknown): Promise<PermissionView | Fault> {
  return loadPermissionPage(params, "", (visit, address) => permissionView(visit, address, after));
}

export async function loadRevocation(params: Params): Promise<RevokeView | Fault> {
  const view = await loadPermissionPage(params, "/revoke", revokeView);
  return view.page === "onward" ? redirect(view.location) : view;
}

async function loadPermissionPage<View>(
  { kind, id }: Params,
  rest: string,
  viewOf: (
    visit: SignedInVisit,
    address: NonNullable<ReturnType<typeof permissionAsked>>,
  ) => Promise<View | undefined>,
): Promise<View | Fault> {
  const address = permissionAsked(`${kind}/${id}`);
  const view = await loadSignedIn(`/permissions/${kind}/${id}${rest}`, async (visit) =>
    address === undefined ? undefined : viewOf(visit, address),
  );
  return view ?? redirect(NO_PAGE);
}

/** Only for whose SCA is done; everybody else is led to the sign-in, and from there back here. */
async function loadSignedIn<View>(
  path: string,
  viewOf: (visit: SignedInVisit) => Promise<View>,
): Promise<View | Fault> {
  const arrived = await loadOwnChannel(async (visit) => {
    const inside = ownStep(visit.session.state, "inside") === "asked-for" && isSignedIn(visit);
    return inside ? { shown: await viewOf(visit) } : { signIn: signInPath(path) };
  });
  if ("signIn" in arrived) return redirect(arrived.signIn);
  return "shown" in arrived ? arrived.shown : arrived;
}

async function loadOwnChannel<View>(
  viewOf: (visit: OwnVisit) => Promise<View>,
): Promise<View | Fault> {
  const asked = await headers();
  try {
    return await viewOf(await openOwnVisit(services(), asked));
  } catch (error) {
    logFault("GET own channel", error);
    return FAULT;
  }
}

export function loadPasskeys(): Promise<PasskeysView | Fault> {
  return loadSignedIn(PASSKEYS, passkeysView);
}

/** What is there no more leads to the list. */
export async function loadRemovePasskey(id: string): Promise<RemovePasskeyView | Fault> {
  const path = ownPath(`${PASSKEYS}/${id}/remove`);
  const view = await loadSignedIn(path, (visit) => removePasskeyView(visit, id));
  return view ?? redirect(PASSKEYS);
}

/** What a page says while the sandbox's clock is moved. It says nothing else, fault or not. */
export async function clockNotice(language: Language): Promise<string | undefined> {
  try {
    return await ignoringOutages(() => noticeOf(services(), language));
  } catch (error) {
    logFault("GET clock", error);
    return undefined;
  }
}

type ClockServices = Pick<Ports, "profile"> & { readonly sandboxClock: MovableClock | undefined };

/** Undefined when the clock is not moved, and outside the sandbox, where it cannot be. */
export async function noticeOf(
  { sandboxClock, profile }: ClockServices,
  language: Language,
): Promise<string | undefined> {
  const reading = await sandboxClock?.read();
  if (reading?.offsetMilliseconds === undefined) return undefined;
  return textsFor(language).frame.clockMoved(reading.now, profile.timeZone);
}
