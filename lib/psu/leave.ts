import * as z from "zod";
import {
  type Authorisation,
  currentAuthorisation,
  isDecided,
  settleWindow,
} from "@/lib/domain/authorisation";
import { type BankRefusal, bankRefusal } from "@/lib/domain/core-bank";
import { settleBlocked } from "@/lib/domain/opt-outs";
import { answeredPayment, type SubmissionPorts } from "@/lib/domain/payments";
import type { AuthorisationId } from "@/lib/domain/values";
import { requestLanguage } from "./language";
import { carryOutcome } from "./outcome";
import { pagePath, seeOther, toPage } from "./paths";
import type { PsuServices } from "./ports";
import { closeSession, seal, unseal } from "./session";
import { nameOnPage } from "./texts/formats";
import type { Visit } from "./visit";

/** Back to the TPP without a code: session and interaction end here. */
export async function leave(visit: Visit): Promise<Response> {
  const { services, interaction, authorisation, tpp, cookieHeader, session, now } = visit;
  const { uid, state, uiLocales } = interaction;
  const issuer = services.config.XS2A_URL;
  const refused = (await refusalOf(visit)) !== undefined;
  const location = errorRedirect(authorisation, { state, issuer, refused });
  await closeSession(services, session, now);
  await services.interactions.refuse(uid, cookieHeader);
  const outcome = outcomeOf(authorisation, refused);
  const departure = { location, tppName: tpp.name, uiLocales, outcome };
  return depart(services, departure, [
    await carryOutcome({ path: pagePath(uid), config: services.config }),
  ]);
}

/**
 * For an answer that came too late. The last failed attempt leads back to the
 * TPP; an authorisation that the same PSU has just confirmed (a double click) leads on; anything
 * else has a page that says what happened, also a user ID that is blocked or a payment that the bank
 * has refused.
 */
export async function afterTheEnd(visit: Visit): Promise<Response> {
  const authorisation = await authorisationNow(visit);
  if (authorisation === undefined) return toPage(visit);
  const { scaStatus, failedBecause } = authorisation;
  if (scaStatus === "finalised" && visit.session.state === "own") {
    const refusal = await refusalOf({ ...visit, authorisation });
    return refusal === undefined ? finish({ ...visit, authorisation }) : toPage(visit);
  }
  if (failedBecause === "too-many-tries") return leave({ ...visit, authorisation });
  // The question is still open: another answer was first, or all tries are taken and none is judged yet.
  return toPage(visit, isDecided(scaStatus) ? {} : { outcome: { outcome: "stale-form" } });
}

/** For an answer in which the core bank has said that the customer is blocked: a page says so. */
export function refusingBlocked(visit: Visit): (error: unknown) => Promise<Response> {
  return async (error) => {
    await settleBlocked(visit.services, visit.authorisation, error, visit.now);
    return toPage(visit);
  };
}

/** As it is now, after what others have done since the visit began. */
export function authorisationNow({
  services,
  authorisation,
  now,
}: Visit): Promise<Authorisation | undefined> {
  const { kind, resourceId, tppId } = authorisation;
  return currentAuthorisation(services, { kind, resourceId, tppId, now });
}

/** The PSU has confirmed: the answer that leads to the TPP's code. */
export async function finish(visit: Visit): Promise<Response> {
  const departure = await accept(visit);
  return departure === undefined ? toPage(visit) : depart(visit.services, departure);
}

/** The same for a page that finds the authorisation confirmed already; undefined when that is no longer valid. */
export async function finishPath(visit: Visit): Promise<string | undefined> {
  const departure = await accept(visit);
  return departure && departurePath(visit.services, departure);
}

/**
 * Hands over to the authorisation server, at whose address the browser fetches the code. The session
 * is over with it. Its cookie stays: only by it can a second click on Confirm be recognised, whose
 * first answer the browser has dropped.
 */
async function accept(visit: Visit) {
  const { services, interaction, authorisation, tpp, cookieHeader, session, now } = visit;
  const accepted = { authorisationId: authorisation.id };
  const location = await services.interactions.accept(interaction, cookieHeader, accepted);
  if (location === undefined) return undefined;
  await closeSession(services, session, now);
  const { uiLocales } = interaction;
  return { location, tppName: tpp.name, uiLocales, outcome: "confirmed" as const };
}

const departureContent = z.object({
  location: z.url({ protocol: /^https?$/ }),
  tppName: z.string(),
  /** See `localesOf`: they are gone with the interaction. */
  uiLocales: z.string().optional(),
  /** Absent where the bank has refused what the PSU confirmed, and in what a release before has sealed. */
  outcome: z.enum(["confirmed", "not-confirmed"]).optional(),
});
/** Where the browser goes from the bank's pages, and the TPP it goes back to. */
export type Departure = Readonly<z.infer<typeof departureContent>>;
const DEPARTURE_SECONDS = 600;

type SealingDeparture = Pick<PsuServices, "config">;

/**
 * The page that leads on to the TPP. Browsers hold every redirect that follows a form to the page's
 * `form-action`, and a TPP may redirect on to an origin the bank never heard of (an app's, say):
 * a PSU who was redirected there straight from a form would be stopped. A page in between ends
 * that chain, and the policy need not allow anybody but the bank itself.
 */
export async function departurePath(
  { config }: SealingDeparture,
  departure: Departure,
): Promise<string> {
  const sealed = await seal(config.SESSION_SECRET, "psu-departure", departure, DEPARTURE_SECONDS);
  return leavingPath(sealed);
}

/** Part of the path, so that the page's frame knows it as well as the page. */
export function leavingPath(to: string): string {
  return `/authorise/leaving/${encodeURIComponent(to)}`;
}

export async function depart(
  services: SealingDeparture,
  departure: Departure,
  cookies: readonly string[] = [],
): Promise<Response> {
  return seeOther(await departurePath(services, departure), cookies);
}

/** Only what this bank has sealed is followed: the page cannot be made to lead anywhere else. */
export function readDeparture(
  { config }: SealingDeparture,
  to: unknown,
): Promise<Departure | undefined> {
  const sealed = typeof to === "string" ? to : undefined;
  return unseal(config.SESSION_SECRET, "psu-departure", sealed, departureContent);
}

type Answer = {
  /** The TPP's own value, unchanged. */
  readonly state: string;
  readonly issuer: string;
  /** The PSU has confirmed it, and the bank has refused it. */
  readonly refused?: boolean;
};

type GoingBack = Pick<Authorisation, "redirectUris" | "scaStatus">;

/** `refused`: by the bank, after the PSU has confirmed it, which the page before has said. */
function outcomeOf(
  { scaStatus }: Pick<Authorisation, "scaStatus">,
  refused: boolean,
): Departure["outcome"] {
  if (scaStatus !== "finalised") return "not-confirmed";
  return refused ? undefined : "confirmed";
}

/**
 * Where the PSU goes when there is no code: the Nok URI when the TPP gave one. Both URIs are stored
 * ones that the TPP has signed; nothing that a browser sends can change them. Throws when what is stored
 * is no web address.
 */
export function errorRedirect(
  { redirectUris: { redirectUri, nokRedirectUri }, scaStatus }: GoingBack,
  { state, issuer, refused }: Answer,
): string {
  const url = webAddress(nokRedirectUri ?? redirectUri);
  // A PSU who has confirmed is not reported as one who refused, even if this browser gets no code.
  const granted = scaStatus === "finalised" && refused !== true;
  const error = granted ? "server_error" : "access_denied";
  url.searchParams.set("error", error);
  url.searchParams.set("state", state);
  // RFC 9207: the TPP sees which server answers.
  url.searchParams.set("iss", issuer);
  return url.href;
}

function webAddress(uri: string): URL {
  const url = new URL(uri);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error("a stored redirect URI is no web address");
  }
  return url;
}

const ticketContent = z.object({
  uid: z.string(),
  authorisationId: z.uuid(),
  state: z.string(),
  uiLocales: z.string().optional(),
});
const TICKET_SECONDS = 86_400;

/**
 * Part of every Cancel form; it leads back to the TPP when the interaction is gone: a second click
 * on Cancel, or a page left open overnight, still leads back.
 */
export function cancelTicket({ services, interaction, authorisation }: Visit): Promise<string> {
  const ticket = {
    uid: interaction.uid,
    authorisationId: authorisation.id,
    state: interaction.state,
    uiLocales: interaction.uiLocales,
  };
  return seal(services.config.SESSION_SECRET, "psu-way-back", ticket, TICKET_SECONDS);
}

type Ticket = {
  readonly uid: string;
  readonly ticket: string | null;
  readonly headers: Pick<Headers, "get">;
};

/** For a decided authorisation. It changes nothing, so it asks for no more proof. */
export async function redirectOfTicket(
  services: Pick<PsuServices, "config" | "authorisations" | "clock" | "tppRegister"> &
    SubmissionPorts,
  { uid, ticket, headers }: Ticket,
): Promise<Departure | undefined> {
  const { SESSION_SECRET, XS2A_URL } = services.config;
  const opened = await unseal(SESSION_SECRET, "psu-way-back", ticket ?? undefined, ticketContent);
  if (opened?.uid !== uid) return undefined;
  const { state, authorisationId, uiLocales } = opened;
  const found = await services.authorisations.find(authorisationId as AuthorisationId);
  if (found === undefined) return undefined;
  const now = await services.clock.now(found.tppId);
  const authorisation = await settleWindow(services, found, now);
  if (!isDecided(authorisation.scaStatus)) return undefined;
  const tpp = await services.tppRegister.find(authorisation.tppId);
  const refused = (await refusalOf({ services, authorisation, now })) !== undefined;
  const location = errorRedirect(authorisation, { state, issuer: XS2A_URL, refused });
  const language = requestLanguage(services, headers, uiLocales);
  const tppName = nameOnPage(tpp?.name ?? authorisation.tppId, language);
  return { location, tppName, uiLocales, outcome: outcomeOf(authorisation, refused) };
}

type Asked = Pick<Visit, "authorisation" | "now"> & { readonly services: SubmissionPorts };

/**
 * Why the bank refused what its PSU has confirmed: such a payment leads to no code, however often its
 * page is loaded. Undefined for everything else.
 */
export async function refusalOf({
  services,
  authorisation: { id, kind, scaStatus },
  now,
}: Asked): Promise<BankRefusal | undefined> {
  if (kind !== "PIS" || scaStatus !== "finalised") return undefined;
  const payment = await services.payments.findByAuthorisation(id);
  return payment && bankRefusal(await answeredPayment(services, payment, now));
}
