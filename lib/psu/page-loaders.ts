import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Ports } from "@/lib/domain/ports";
import type { MovableClock } from "@/lib/domain/values";
import { reportMissingPage } from "@/lib/missing-page";
import { ignoringOutages } from "@/lib/outage";
import { type View, viewOf } from "./authorisation-view";
import { frameOf, ownFrameOf } from "./frame";
import { pageLanguage } from "./language";
import { type Departure, readDeparture } from "./leave";
import { pageServices } from "./page-services";
import { passkeysView, removePasskeyView } from "./passkeys";
import {
  NO_PAGE,
  ownPath,
  PASSKEYS,
  type PermissionAddress,
  passkeysPath,
  permissionAsked,
  signInPath,
} from "./paths";
import { permissionView, revokeView } from "./permissions-view";
import { logFault } from "./ports";
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

type LoadedAuthorisation = Visit | "unknown" | Fault;

async function loadAuthorisation(uid: string): Promise<LoadedAuthorisation> {
  const asked = await headers();
  try {
    return (await openVisit(pageServices(), uid, asked)) ?? "unknown";
  } catch (error) {
    logFault("GET authorise", error);
    return "fault";
  }
}

/** A request that this browser does not have, or not any more, is 404. */
export async function viewFor(loaded: LoadedAuthorisation, question: unknown): Promise<View> {
  const view = await viewOrFault(loaded, question);
  if (view.page === "unknown") reportMissingPage();
  return view;
}

async function viewOrFault(loaded: LoadedAuthorisation, question: unknown): Promise<View> {
  if (typeof loaded === "string") return { page: loaded };
  try {
    return await viewOf(loaded, { again: question === "accounts" ? question : undefined });
  } catch (error) {
    logFault("GET authorise", error);
    return { page: "fault", frame: await frameOf(loaded).catch(() => undefined) };
  }
}

/** Without an open request, the language is what the browser says. */
export function languageOf(loaded: LoadedAuthorisation): Promise<Language> | Language {
  return typeof loaded === "string" ? pageLanguage() : loaded.language;
}

/** Where the browser is led on to; undefined when this bank has not sealed it, or it is out of date. */
export function departureOf(to: unknown): Promise<Departure | undefined> {
  return readDeparture(pageServices(), to);
}

/** Layout and page of one request ask for the same authorisation, which is looked up once. */
export const loadAuthorisationOnce = cache(loadAuthorisation);

/** A token for the form, while there is still a session. */
export function loadSignOut() {
  return loadOwnChannel(async (visit) => ({
    token: "signIn" in visit.session ? (await ownFrameOf(visit)).signOutToken : undefined,
  }));
}

type Params = { readonly kind: string; readonly id: string };

/** An address of none, and another PSU's, lead to the page that says there is nothing here. */
export function loadPermission(params: Params, after: unknown) {
  return loadPermissionPage(params, "", (visit, address) => permissionView(visit, address, after));
}

export async function loadRevocation(params: Params) {
  const view = await loadPermissionPage(params, "/revoke", revokeView);
  return view !== "fault" && view.page === "onward" ? redirect(view.location) : view;
}

async function loadPermissionPage<View>(
  { kind, id }: Params,
  rest: string,
  viewOf: (visit: SignedInVisit, address: PermissionAddress) => Promise<View | undefined>,
): Promise<View | Fault> {
  const address = permissionAsked(`${kind}/${id}`);
  const view = await loadSignedIn(`/permissions/${kind}/${id}${rest}`, async (visit) =>
    address === undefined ? undefined : viewOf(visit, address),
  );
  return view ?? redirect(NO_PAGE);
}

export function loadPasskeys(uid?: string) {
  return loadSignedIn(passkeysPath(uid), (visit) => passkeysView(visit, uid));
}

/** What is there no more leads to the list. */
export async function loadRemovePasskey(id: string) {
  const path = ownPath(`${PASSKEYS}/${id}/remove`);
  const view = await loadSignedIn(path, (visit) => removePasskeyView(visit, id));
  return view ?? redirect(PASSKEYS);
}

/** Only for PSUs whose SCA is done; everybody else is led to the sign-in, and from there back here. */
export async function loadSignedIn<View>(
  path: string,
  viewOf: (visit: SignedInVisit) => Promise<View>,
): Promise<View | Fault> {
  const loaded = await loadOwnChannel(async (visit) => {
    return isSignedIn(visit) ? { shown: await viewOf(visit) } : { signIn: signInPath(path) };
  });
  if (loaded === "fault") return loaded;
  return "signIn" in loaded ? redirect(loaded.signIn) : loaded.shown;
}

/** A fault of ours has a page too: Next's own needs JavaScript. */
type Fault = "fault";

export async function loadOwnChannel<View>(
  viewOf: (visit: OwnVisit) => Promise<View>,
): Promise<View | Fault> {
  const asked = await headers();
  try {
    return await viewOf(await openOwnVisit(pageServices(), asked));
  } catch (error) {
    logFault("GET own channel", error);
    return "fault";
  }
}

/** What a page says while the sandbox's clock is moved. It says nothing else, fault or not. */
export async function clockNotice(language: Language): Promise<string | undefined> {
  try {
    return await ignoringOutages(() => noticeOf(pageServices(), language));
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
