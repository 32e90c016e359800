import { z } from "zod";
import { cancelAuthorisation, extendWindow, isDecided } from "@/lib/domain/authorisation";
import { offerAccounts } from "@/lib/domain/consents";
import {
  beginChallenge,
  completeAuthorisation,
  identifyPsu,
  openPasskeyChallenge,
  type Proof,
  selectAccounts,
  sendNewCode,
} from "@/lib/domain/sca";
import { timeLimitsOf } from "../frame";
import { afterTheEnd, authorisationNow, finish, leave } from "../leave";
import type { Outcome, OutcomeName } from "../outcome";
import { readAssertion, requestOptions } from "../passkeys";
import { toPage } from "../paths";
import { closeSession, openSession } from "../session";
import { textsFor } from "../texts/texts-for";
import type { Visit } from "../visit";

const credentials = z.object({
  // No user ID has control characters, and PostgreSQL takes no NUL.
  userId: z.string().transform((text) => text.replace(/\p{Cc}/gu, "").trim()),
  password: z.string(),
});

/** User ID and password. Who is right gets a new session; who is not is asked again. */
export async function answerLogin(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, interaction, network, unlockedFor, now } = visit;
  const typed = credentials.safeParse(Object.fromEntries(form));
  if (isDecided(authorisation.scaStatus) || !typed.success) return toPage(visit);
  const { userId, password } = typed.data;
  const missing = missingOf(userId, password);
  if (missing !== undefined) return askAgain(visit, userId, { outcome: missing });

  const asked = { authorisation, userId, password, network, unlockedFor, now };
  const identified = await identifyPsu(house, asked);
  if (identified.outcome === "ended") return afterTheEnd(visit);
  if (identified.outcome !== "authenticated") return askAgain(visit, userId, identified);

  await closeSession(house, visit.session, now);
  const opened = { uid: interaction.uid, psuId: identified.psu.id, now };
  const cookies = [await openSession(house, opened)];
  const outcome = await firstCode(visit);
  return toPage(visit, { cookies, ...(outcome !== undefined && { outcome: { outcome } }) });
}

const notSent = ["not-delivered", "too-many-codes", "too-many-texts"] as const;
type NotSent = (typeof notSent)[number];

/**
 * Where the account is fixed the login leads straight to the page with the code, so the code is sent
 * at once; where it is chosen, nothing is sent yet. Who signs in again still has the earlier code.
 */
async function firstCode(visit: Visit): Promise<NotSent | undefined> {
  const { house, language, now } = visit;
  const wording = textsFor(language).codeMessage;
  const authorisation = await authorisationNow(visit);
  if (authorisation?.scaStatus !== "psuAuthenticated") return undefined;
  const { outcome } = await beginChallenge(house, { authorisation, wording, now });
  // Any other outcome is a state of the authorisation, and the page that fits says it.
  return notSent.find((one) => one === outcome);
}

function missingOf(userId: string, password: string): OutcomeName | undefined {
  if (userId === "") return password === "" ? "credentials-missing" : "user-id-missing";
  return password === "" ? "password-missing" : undefined;
}

function askAgain(visit: Visit, userId: string, { outcome, attemptsLeft, waitSeconds }: Outcome) {
  const typed = userId.length > 0 && userId.length <= 100 ? { userId } : {};
  const left = attemptsLeft === undefined ? {} : { attemptsLeft };
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return toPage(visit, { outcome: { outcome, ...left, ...wait, ...typed } });
}

/** The accounts to share; what is ticked is judged against the PSU's own accounts. */
export async function answerAccounts(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, session, language, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const selected = form.has("all") ? await everyAccount(visit) : form.getAll("account");
  const wording = textsFor(language).codeMessage;
  const { outcome } = await selectAccounts(house, { authorisation, selected, wording, now });
  if (outcome === "ended") return afterTheEnd(visit);
  if (outcome === "code-sent" || outcome === "passkey-asked") return toPage(visit);
  const stay = outcome === "nothing-selected" || outcome === "not-offered";
  return toPage(visit, { outcome: { outcome }, ...(stay ? { again: "accounts" } : {}) });
}

async function everyAccount({ house, authorisation }: Visit): Promise<readonly string[]> {
  const { psuId } = authorisation;
  if (psuId === undefined) return [];
  const offered = await offerAccounts(house, { authorisation, psuId });
  return offered.map(({ account }) => account.id);
}

/** Another code to the same phone, for the same accounts; or the first, where none has gone by itself. */
export async function answerNewCode(visit: Visit): Promise<Response> {
  const { house, authorisation, session, language, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const wording = textsFor(language).codeMessage;
  const send = authorisation.scaStatus === "psuAuthenticated" ? beginChallenge : sendNewCode;
  const { outcome } = await send(house, { authorisation, wording, byCode: true, now });
  switch (outcome) {
    case "ended":
    case "not-own-account":
      return afterTheEnd(visit);
    case "code-sent":
      return toPage(visit, (await isFirst(visit)) ? {} : { outcome: { outcome: "new-code-sent" } });
    case "passkey-asked":
      return toPage(visit);
    default:
      return toPage(visit, { outcome: { outcome } });
  }
}

/** There is no earlier one of which to say that it no longer works. */
async function isFirst({ house, authorisation }: Visit): Promise<boolean> {
  const { scaStatus, psuId, challenge } = authorisation;
  if (scaStatus === "psuAuthenticated") return true;
  if (challenge !== undefined || psuId === undefined) return false;
  return (await house.passkeys.ofPsu(psuId)).length > 0;
}

/** The PSU's yes: the code decides. */
export async function answerConfirm(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, session } = visit;
  // The page knows whom a finalised authorisation leads on; a second click comes by here.
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return toPage(visit, { outcome: { outcome: "code-missing" } });
  if (!isCode(code, house.profile.sca.codeDigits)) {
    return toPage(visit, { outcome: { outcome: "code-malformed" } });
  }

  return complete(visit, { method: "code", code });
}

/** What cannot be a code takes no attempt. */
function isCode(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9]+$/.test(text);
}

/** What a passkey is to sign; asked for by the page's own script. Whom it is not for is led to the page. */
export async function answerPasskeyChallenge(visit: Visit): Promise<Response> {
  const { house, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const asked = await openPasskeyChallenge(house, { authorisation, now });
  if (asked.outcome !== "challenged") return toPage(visit);
  const options = requestOptions(house, asked);
  return Response.json({ options }, { headers: { "Cache-Control": "no-store" } });
}

/** The PSU's yes: the signature decides. What cannot be one takes no attempt. */
export async function answerPasskey(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { authorisation, session } = visit;
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const assertion = readAssertion(form.get("assertion"));
  if (assertion === undefined) return toPage(visit, { outcome: { outcome: "passkey-missing" } });
  return complete(visit, { method: "passkey", assertion });
}

/** What comes of the PSU's yes, whichever way it was proved. */
async function complete(visit: Visit, proof: Proof): Promise<Response> {
  const { house, authorisation, language, unlockedFor, now } = visit;
  const given = { authorisation, proof, unlockedFor, now };
  const completion = await completeAuthorisation(house, given);
  switch (completion.outcome) {
    case "finalised":
      if (authorisation.psuId !== undefined) {
        await house.psuLanguages.keep(authorisation.psuId, language);
      }
      return finish(visit);
    case "rejected":
      return toPage(visit);
    case "ended":
      return afterTheEnd(visit);
    default:
      return toPage(visit, { outcome: completion });
  }
}

/** The PSU's no, or the way back when all is decided already. Works in every state. */
export async function answerCancel(visit: Visit): Promise<Response> {
  const { house, authorisation, now } = visit;
  if (isDecided(authorisation.scaStatus)) return leave(visit);
  await cancelAuthorisation(house, { authorisation, now });
  // In another tab it may have been confirmed a moment before: then there is nothing to refuse.
  const settled = await authorisationNow(visit);
  return settled?.scaStatus === "finalised" ? toPage(visit) : leave(visit);
}

/**
 * More time (WCAG 2.2, 2.2.1): asking for it was activity of the session, and the window is extended
 * as well. The page's script asks for the new ends and stays where it is; anybody else is led back to
 * the page. Once somebody has signed in here, it takes that session: the interaction's cookie alone keeps nobody's
 * request open.
 */
export async function answerStay(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, now, language } = visit;
  const signedIn = visit.authorisation.psuId !== undefined;
  if (signedIn && visit.session.state !== "own") {
    return toPage(visit, { outcome: { outcome: "time-after-sign-in" } });
  }
  const authorisation = await extendWindow(house, visit);
  if (isDecided(authorisation.scaStatus)) return toPage(visit);
  if (form.get("answer") === "json") {
    const { openUntil } = textsFor(language).frame;
    const told = openUntil(authorisation.expiresAt, house.profile.timeZone);
    const limits = timeLimitsOf({ ...visit, authorisation, now });
    return Response.json({ ...limits, told }, { headers: { "Cache-Control": "no-store" } });
  }
  const again = form.get("again") === "accounts" ? ({ again: "accounts" } as const) : {};
  return toPage(visit, { outcome: { outcome: "more-time" }, ...again });
}
