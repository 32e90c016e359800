import { setTimeout as sleep } from "node:timers/promises";
import {
  type Authorisation,
  extendWindow,
  failAuthorisation,
  isDecided,
} from "@/lib/domain/authorisation";
import { offerAccounts } from "@/lib/domain/consents";
import { type ApprovalOutcome, collectApproval } from "@/lib/domain/identity-provider";
import { settleRefusal } from "@/lib/domain/opt-outs";
import {
  askAgain,
  beginChallenge,
  completeAuthorisation,
  identifyPsu,
  meansOf,
  openPasskeyChallenge,
  type Proof,
  selectAccounts,
} from "@/lib/domain/sca";
import { addTime, type PsuId } from "@/lib/domain/values";
import { timeLimitsOf } from "../frame";
import { afterTheEnd, authorisationNow, finish, leave } from "../leave";
import type { Outcome } from "../outcome";
import { readAssertion, requestOptions } from "../passkeys";
import { jsonAnswer, toPage } from "../paths";
import { closeSession, openSession } from "../session";
import { textsFor } from "../texts/texts-for";
import type { Visit } from "../visit";
import { readCode, readCredentials, withUserId } from "./typed";

/** User ID and password. With the right ones the PSU gets a new session, and is asked again otherwise. */
export async function answerLogin(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { services, authorisation, network, unlockedFor, now } = visit;
  if (services.config.PSU_LOGIN === "oidc") return toPage(visit);
  const typed = readCredentials(form);
  if (isDecided(authorisation.scaStatus) || typed === undefined) return toPage(visit);
  const { userId, password, missing } = typed;
  const askAgain = (outcome: Outcome) => toPage(visit, { outcome: withUserId(userId, outcome) });
  if (missing !== undefined) return askAgain({ outcome: missing });

  if ((await services.admitsUserId?.(authorisation.tppId, userId)) === false) {
    return askAgain({ outcome: "wrong-credentials" });
  }
  const asked = { authorisation, userId, password, network, unlockedFor, now };
  const identified = await identifyPsu(services, asked);
  if (identified.outcome === "ended") return afterTheEnd(visit);
  if (identified.outcome !== "authenticated") return askAgain(identified);

  return enter(visit, identified.psu.id);
}

/** The PSU is known: a new session, and the next page. */
export async function enter(visit: Visit, psuId: PsuId): Promise<Response> {
  const { services, interaction, now } = visit;
  await closeSession(services, visit.session, now);
  const cookies = [await openSession(services, { uid: interaction.uid, psuId, now })];
  const outcome = await firstProof(visit);
  return toPage(visit, { cookies, ...(outcome !== undefined && { outcome: { outcome } }) });
}

const notSent = [
  "not-delivered",
  "provider-unavailable",
  "too-many-codes",
  "too-many-texts",
] as const;

/**
 * Where the account is fixed the login leads straight to the page that shows what is confirmed, so the code is sent, or
 * the app asked, at once; where it is chosen, nothing is sent yet. A PSU who signs in again still has the earlier one.
 */
async function firstProof(visit: Visit): Promise<(typeof notSent)[number] | undefined> {
  const { services, language, now } = visit;
  const wording = textsFor(language).codeMessage;
  const current = await authorisationNow(visit);
  // Nothing is sent for what this customer refuses to be asked.
  const authorisation = current && (await settleRefusal(services, current, now));
  if (authorisation?.scaStatus !== "psuAuthenticated") return undefined;
  const { outcome } = await beginChallenge(services, { authorisation, wording, now });
  // Any other outcome is a state of the authorisation, and the page that fits says it.
  return notSent.find((one) => one === outcome);
}

/** The accounts to share, which have to be among the PSU's own. */
export async function answerAccounts(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { services, authorisation, session, language, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const selected = form.has("all") ? await everyAccount(visit) : form.getAll("account");
  const wording = textsFor(language).codeMessage;
  const { outcome } = await selectAccounts(services, { authorisation, selected, wording, now });
  if (outcome === "ended") return afterTheEnd(visit);
  if (isAsked(outcome)) return toPage(visit);
  const stay = outcome === "nothing-selected" || outcome === "not-offered";
  return toPage(visit, { outcome: { outcome }, ...(stay ? { again: "accounts" } : {}) });
}

const asked = ["code-sent", "app-asked", "passkey-asked", "provider-asked", "no-means"] as const;

/** The page that fits asks for the proof. */
function isAsked(outcome: string): outcome is (typeof asked)[number] {
  return asked.some((one) => one === outcome);
}

async function everyAccount({ services, authorisation }: Visit): Promise<readonly string[]> {
  const { psuId } = authorisation;
  if (psuId === undefined) return [];
  const offered = await offerAccounts(services, { authorisation, psuId });
  return offered.map(({ account }) => account.id);
}

/** Another code for the same accounts; or the first, where none was sent with the login. */
export async function answerNewCode(visit: Visit): Promise<Response> {
  const outcome = await askFor(visit, "code");
  if (outcome !== "code-sent") return asksOrSays(visit, outcome);
  return toPage(visit, (await isFirst(visit)) ? {} : { outcome: { outcome: "new-code-sent" } });
}

/** The same in the customer's app. */
export async function answerApp(visit: Visit): Promise<Response> {
  const outcome = await askFor(visit, "ciba");
  if (outcome !== "app-asked") return asksOrSays(visit, outcome);
  const again = visit.authorisation.approval?.request !== undefined;
  return toPage(visit, again ? { outcome: { outcome } } : {});
}

async function askFor(visit: Visit, by: "ciba" | "code") {
  const { services, authorisation, session, language, now } = visit;
  if (session.state !== "own") return undefined;
  const wording = textsFor(language).codeMessage;
  const ask = authorisation.scaStatus === "psuAuthenticated" ? beginChallenge : askAgain;
  return (await ask(services, { authorisation, wording, by, now })).outcome;
}

function asksOrSays(visit: Visit, outcome: Awaited<ReturnType<typeof askFor>>): Promise<Response> {
  if (outcome === undefined || isAsked(outcome)) return toPage(visit);
  if (outcome === "ended" || outcome === "not-own-account") return afterTheEnd(visit);
  return toPage(visit, { outcome: { outcome } });
}

/** Whether there is no earlier code, of which the page would say that it no longer works. */
async function isFirst({ services, authorisation }: Visit): Promise<boolean> {
  const { scaStatus, psuId, challenge } = authorisation;
  if (scaStatus === "psuAuthenticated") return true;
  if (challenge !== undefined || psuId === undefined) return false;
  return (await meansOf(services, psuId))[0] !== "code";
}

export async function answerConfirm(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { services, authorisation, session } = visit;
  // After a second click the authorisation is finalised already, and the page leads on.
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const typed = readCode(form, services.profile.sca.codeDigits);
  if (typed.outcome !== undefined) return toPage(visit, { outcome: typed });
  return complete(visit, { method: "code", code: typed.code }, form);
}

/** What a passkey is to sign, for the page's own script. */
export async function answerPasskeyChallenge(
  visit: Visit,
  form: URLSearchParams,
): Promise<Response> {
  const { services, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const shown = form.get("shown") ?? undefined;
  const asked = await openPasskeyChallenge(services, { authorisation, shown, now });
  if (asked.outcome === "not-shown") return toPage(visit, { outcome: { outcome: "changed" } });
  if (asked.outcome !== "challenged") return toPage(visit);
  return jsonAnswer({ options: requestOptions(services, asked) });
}

/** Confirms by passkey. What cannot be a signature takes no attempt. */
export async function answerPasskey(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { authorisation, session } = visit;
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const assertion = readAssertion(form.get("assertion"));
  if (assertion === undefined) return toPage(visit, { outcome: { outcome: "passkey-missing" } });
  return complete(visit, { method: "passkey", assertion }, form);
}

/** The PSU says that the app has its answer; or the page's script asks, which is told only whether to go on asking. */
export async function answerApproval(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { services, authorisation, session, now } = visit;
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const byScript = form.get("answer") === "json";
  // A person who says so has no reason to say it again a moment later: the provider's pause is waited for here.
  const pauseMs = byScript ? 0 : pauseLeft(visit);
  await sleep(pauseMs);
  const then = addTime(now, pauseMs / 1_000, "second");
  const collected = await collectApproval(services, { authorisation, now: then });
  const { outcome } = collected;
  const waits = outcome === "app-pending" || outcome === "provider-unavailable";
  // The PSU may be typing a code there: the page is not reloaded for an answer after which the code still counts.
  const staysOpen = isCodeOpen(authorisation, then) && !leadingOn.has(outcome);
  if (byScript && (waits || staysOpen)) return jsonAnswer({ waits });
  return afterProof(visit, collected);
}

const leadingOn: ReadonlySet<ApprovalOutcome["outcome"]> = new Set([
  "finalised",
  "rejected",
  "refused",
  "ended",
  "changed",
]);

function isCodeOpen({ challenge }: Authorisation, now: Date): boolean {
  return challenge !== undefined && now < challenge.expiresAt;
}

const PAUSE_MS_MAX = 6_000;

function pauseLeft({ authorisation: { approval }, now }: Visit): number {
  const left = (approval?.request?.pollAt.getTime() ?? 0) - now.getTime();
  return Math.min(Math.max(left, 0), PAUSE_MS_MAX);
}

/** What comes of the confirmation, by code or by passkey. */
async function complete(visit: Visit, proof: Proof, form: URLSearchParams): Promise<Response> {
  const { services, authorisation, unlockedFor, now } = visit;
  const shown = form.get("shown") ?? undefined;
  const given = { authorisation, proof, shown, unlockedFor, now };
  const proved = await completeAuthorisation(services, given);
  if (proved.outcome === "changed" && proof.method === "code") await askFor(visit, "code");
  return afterProof(visit, proved);
}

type Proved = Awaited<ReturnType<typeof completeAuthorisation>> | ApprovalOutcome;

/** What comes of a proof, by whatever means and wherever the customer has given it. */
export async function afterProof(visit: Visit, proved: Proved): Promise<Response> {
  const { services, authorisation, language } = visit;
  switch (proved.outcome) {
    case "finalised":
      if (authorisation.psuId !== undefined) {
        await services.psuLanguages.keep(authorisation.psuId, language);
      }
      return finish(visit);
    case "rejected":
      return toPage(visit);
    case "ended":
    case "refused":
      return afterTheEnd(visit);
    case "not-shown":
      return toPage(visit, { outcome: { outcome: "changed" } });
    default:
      return toPage(visit, { outcome: { ...proved, outcome: proved.outcome } });
  }
}

/** Refuses the request, or leads back to the TPP when it is decided already. Works in every state. */
export async function answerCancel(visit: Visit): Promise<Response> {
  const { services, authorisation, now } = visit;
  if (isDecided(authorisation.scaStatus)) return leave(visit);
  await failAuthorisation(services, { id: authorisation.id, because: "cancelled", now });
  // In another tab it may have been confirmed a moment before: then there is nothing to refuse.
  const settled = await authorisationNow(visit);
  return settled?.scaStatus === "finalised" ? toPage(visit) : leave(visit);
}

/**
 * More time (WCAG 2.2, 2.2.1): asking for it was activity of the session, and the window is extended
 * as well. The page's script asks for the new ends and stays where it is; without a script the answer
 * leads back to the page. Once somebody has signed in here, it takes that session: the interaction's cookie alone keeps nobody's
 * request open.
 */
export async function answerStay(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { services, now, language } = visit;
  const signedIn = visit.authorisation.psuId !== undefined;
  if (signedIn && visit.session.state !== "own") {
    return toPage(visit, { outcome: { outcome: "time-after-sign-in" } });
  }
  const authorisation = await extendWindow(services, visit);
  if (isDecided(authorisation.scaStatus)) return toPage(visit);
  if (form.get("answer") === "json") {
    const { openUntil } = textsFor(language).frame;
    const text = openUntil(authorisation.expiresAt, services.profile.timeZone);
    const limits = timeLimitsOf({ ...visit, authorisation, now });
    return jsonAnswer({ ...limits, text });
  }
  const again = form.get("again") === "accounts" ? ({ again: "accounts" } as const) : {};
  return toPage(visit, { outcome: { outcome: "more-time" }, ...again });
}
