import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { isDecided } from "@/lib/domain/authorisation";
import {
  collectApproval,
  completeApproval,
  type Identified,
  identifyByProvider,
  openApproval,
  refuse,
} from "@/lib/domain/identity-provider";
import { settleBlocked } from "@/lib/domain/opt-outs";
import { signInByProvider } from "@/lib/domain/sign-in";
import { jsonIn } from "@/lib/json";
import { readUpTo } from "@/lib/read-body";
import { services as processServices } from "@/lib/services";
import { systemClock } from "@/lib/system-clock";
import { afterTheEnd, refusingBlocked } from "../leave";
import { carryOutcome } from "../outcome";
import { NO_PAGE, ownPath, pagePath, seeOther, signInPath, toPage } from "../paths";
import { type IdentityProvider, logFault, type PsuServices } from "../ports";
import { beginRound, endRound, purposeOf, type RoundEnd } from "../provider-redirect";
import { newOwnSession, ownCookie } from "../session";
import { textsFor } from "../texts/texts-for";
import { openOwnVisit, openVisit, type Visit } from "../visit";
import { afterProof, enter } from "./authorisation";
import { answered } from "./sign-in";

// The PSU's way to the bank's identity provider and back. Each way there is a link, since a browser holds what follows
// a form to the page's form-action.

type Provided = PsuServices & { readonly identityProvider: IdentityProvider };
type Context = { readonly params: Promise<{ readonly uid: string }> };

function isProvided(services: PsuServices): services is Provided {
  return services.identityProvider !== undefined;
}

/** The handler of an address of an authorisation that leads to the provider, or back from it. */
export function atProvider(
  answer: (services: Provided, visit: Visit, request: Request) => Promise<Response>,
) {
  return async (request: Request, { params }: Context): Promise<Response> => {
    const { uid } = await params;
    const services: PsuServices = processServices();
    try {
      const visit = await openVisit(services, uid, request.headers);
      if (visit === undefined || !isProvided(services)) return seeOther(pagePath(uid));
      return await answer(services, visit, request).catch(refusingBlocked(visit));
    } catch (error) {
      logFault("GET provider", error);
      const where = { path: pagePath(uid), config: services.config };
      return seeOther(where.path, [await carryOutcome(where, { outcome: "fault" })]);
    }
  };
}

/** To sign in for a TPP's request. */
export async function leadToSignIn(services: Provided, visit: Visit): Promise<Response> {
  const { authorisation, interaction, language } = visit;
  const signsIn = services.config.PSU_LOGIN === "oidc" && !isDecided(authorisation.scaStatus);
  if (!signsIn) return toPage(visit);
  const purpose = { kind: "login", uid: interaction.uid } as const;
  const { loginHint: hint } = authorisation;
  return toProvider(visit, await beginRound(services, { purpose, language, hint }));
}

/** To confirm what the page shows, with a new proof. */
export async function leadToStepUp(
  services: Provided,
  visit: Visit,
  request: Request,
): Promise<Response> {
  const { authorisation, interaction, session, language, now } = visit;
  const { scaStatus, selection, psuId } = authorisation;
  const offered = services.profile.sca.means.includes("oidc");
  if (session.state !== "own" || scaStatus !== "started" || !offered) return toPage(visit);
  const wording = textsFor(language).codeMessage;
  const shown = new URL(request.url).searchParams.get("shown") ?? undefined;
  const asked = { authorisation, selection, shown, wording, now };
  const opened = await openApproval(services, asked);
  if (opened === undefined) return afterTheEnd(visit);
  if (opened === "not-shown") return toPage(visit, { outcome: { outcome: "changed" } });
  const { nonce, text, hash, reference } = opened;
  const begun = await beginRound(services, {
    purpose: { kind: "confirmation", uid: interaction.uid, nonce },
    details: { text, hash, reference },
    language,
    // Who has signed in with another means is to confirm as the same customer.
    hint: psuId,
  });
  return toProvider(visit, begun);
}

function toProvider(visit: Visit, begun: Awaited<ReturnType<typeof beginRound>>) {
  return begun === undefined
    ? toPage(visit, { outcome: { outcome: "provider-unavailable" } })
    : seeOther(begun.location, begun.cookies);
}

/** To sign in at the bank's own channel, with both elements. */
export async function leadToOwnSignIn(request: Request): Promise<Response> {
  const services: PsuServices = processServices();
  const to = ownPath(new URL(request.url).searchParams.get("to"));
  if (!isProvided(services)) return seeOther(signInPath(to));
  const { language } = await openOwnVisit(services, request.headers);
  const begun = await beginRound(services, { purpose: { kind: "own-channel", to }, language });
  return begun === undefined
    ? answered({ services }, to, { outcome: "provider-unavailable" })
    : seeOther(begun.location, begun.cookies);
}

/**
 * The redirect URI. The browser's part in an authorisation is known at the addresses of that authorisation alone, so it
 * is led there with what it brings.
 */
export async function answerCallback(request: Request): Promise<Response> {
  const services: PsuServices = processServices();
  if (!isProvided(services)) return seeOther(NO_PAGE);
  const purpose = await purposeOf(services, request);
  // An answer to nothing that this browser has asked: another's, or one that is brought a second time.
  if (purpose === undefined || purpose.kind === "staff") {
    return seeOther("/authorise/ended?reason=gone");
  }
  if (purpose.kind !== "own-channel") {
    return seeOther(`${pagePath(purpose.uid)}/signed-in${new URL(request.url).search}`);
  }
  const { result, cookies } = await endRound(services, request);
  return withCookies(await answerOwnChannel(services, purpose.to, result), cookies);
}

/** Back at the authorisation. */
export async function answerReturn(
  services: Provided,
  visit: Visit,
  request: Request,
): Promise<Response> {
  const { purpose, result, cookies } = await endRound(services, request);
  const isThis = purpose !== undefined && "uid" in purpose && purpose.uid === visit.interaction.uid;
  if (!isThis) return toPage(visit, { outcome: { outcome: "not-proved" } });
  const answer =
    purpose.kind === "login"
      ? await answerLogin(visit, result)
      : await answerConfirmation(visit, purpose.nonce, result);
  return withCookies(answer, cookies);
}

function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}

async function answerLogin(visit: Visit, result: RoundEnd["result"]): Promise<Response> {
  const { services, authorisation, now } = visit;
  if (result.outcome === "refused") return toPage(visit, { outcome: { outcome: "login-refused" } });
  if (result.outcome !== "identified") return toPage(visit, { outcome: result });
  const { identified } = result;
  const judged = await identifyByProvider(services, { authorisation, identified, now });
  if (judged === "ended") return afterTheEnd(visit);
  if (judged === "another-psu") {
    return toPage(visit, { outcome: { outcome: "another-customer" } });
  }
  return enter(visit, identified.customerId);
}

async function answerConfirmation(
  visit: Visit,
  nonce: string,
  result: RoundEnd["result"],
): Promise<Response> {
  const { services, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  if (result.outcome === "refused") {
    return afterProof(visit, await refuse(services, authorisation.id, now));
  }
  if (result.outcome !== "identified") return toPage(visit, { outcome: result });
  const { identified } = result;
  const given = { authorisation, nonce, means: "oidc", identified, now } as const;
  return afterProof(visit, await completeApproval(services, given));
}

async function answerOwnChannel(
  services: Provided,
  to: string,
  result: RoundEnd["result"],
): Promise<Response> {
  if (result.outcome === "refused") return answered({ services }, to, { outcome: "login-refused" });
  if (result.outcome !== "identified") return answered({ services }, to, result);
  return openOwn(services, to, result.identified);
}

/** Each sign-in has a session of its own. */
async function openOwn(services: Provided, to: string, identified: Identified) {
  const { id, session } = await newOwnSession();
  const times = { machineNow: await systemClock.now(), now: await services.clock.now() };
  await signInByProvider(services, { session, identified, ...times });
  return seeOther(to, [await ownCookie(services, id)]);
}

/** The public keys that the provider verifies our signatures with (RFC 7517). */
export async function answerKeys(): Promise<Response> {
  const services: PsuServices = processServices();
  const keys = await services.identityProvider?.publicKeys();
  return keys === undefined ? new Response(null, { status: 404 }) : Response.json(keys);
}

/** In visible characters; PostgreSQL keeps no NUL. */
const notification = z.object({ auth_req_id: z.string().regex(/^[!-~]{1,4000}$/) });
const NOTIFICATION_BYTES_MAX = 8_192;

/**
 * The provider says that there is an answer of the customer's app (OpenID CIBA 10.2): it is fetched and decided at once,
 * also when the PSU's browser is gone. A caller that does not know the token of this request learns nothing.
 */
export async function answerNotification(request: Request): Promise<Response> {
  const services: PsuServices = processServices();
  if (services.config.IDP_CIBA !== "ping") return new Response(null, { status: 404 });
  const now = await services.clock.now();
  const body = await readUpTo(request.body, NOTIFICATION_BYTES_MAX);
  if (body === undefined) return new Response(null, { status: 413 });
  const told = notification.safeParse(jsonIn(body.toString("utf8"))).data;
  if (told === undefined) return new Response(null, { status: 400 });
  const found = await services.authorisations.findByApprovalRequest(told.auth_req_id);
  const token = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "none")?.[1];
  const nonce = found?.approval?.nonce;
  if (found === undefined || nonce === undefined || token === undefined || !equal(token, nonce)) {
    return new Response(null, { status: 401 });
  }
  const collected = collectApproval(services, { authorisation: found, isNotified: true, now });
  await collected.catch((error: unknown) => settleBlocked(services, found, error, now));
  return new Response(null, { status: 204 });
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
