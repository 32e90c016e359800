import { z } from "zod";
import { newNonce } from "@/lib/domain/passkeys";
import type { Proof } from "@/lib/domain/sca";
import {
  askAtSignIn,
  beginSignIn,
  completeSignIn,
  openSignInPasskeyChallenge,
  type SignIn,
  sendSignInCode,
  unlock,
  unlockChallenge,
} from "@/lib/domain/sign-in";
import { carryOwnOutcome, type OwnOutcome, type OwnOutcomeName } from "../outcome";
import { readAssertion, requestOptions } from "../passkeys";
import { ownPath, seeOther, signInPath } from "../paths";
import { newOwnSession, ownCookie, seal, unlockedCookie, unseal } from "../session";
import { textsFor } from "../texts/texts-for";
import type { OwnVisit } from "../visit";

const credentials = z.object({
  // No user ID has control characters, and PostgreSQL takes no NUL.
  userId: z.string().transform((text) => text.replace(/\p{Cc}/gu, "").trim()),
  password: z.string(),
});

/** User ID and password, the first element. Who is right gets a new session and is asked for the second. */
export async function answerPassword(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, language, network, unlockedFor, now } = visit;
  const typed = credentials.safeParse(Object.fromEntries(form));
  if (!typed.success) return answered(visit, form);
  const { userId, password } = typed.data;
  const missing = missingOf(userId, password);
  if (missing !== undefined) return answered(visit, form, again(userId, { outcome: missing }));

  const { id, session } = await newOwnSession();
  const asked = { userId, password, session, network, unlockedFor, now };
  const begun = await beginSignIn(house, asked);
  if (begun.outcome !== "password-right") return answered(visit, form, again(userId, begun));

  const wording = textsFor(language).signIn.codeMessage(house.profile.name);
  const { outcome } = await askAtSignIn(house, { signIn: begun.signIn, wording, now });
  const cookie = await ownCookie(house, id);
  const sent = outcome === "code-sent" || outcome === "passkey-asked" || outcome === "ended";
  return answered(visit, form, sent ? undefined : { outcome }, [cookie]);
}

async function answered(
  { house: { config } }: OwnVisit,
  form: URLSearchParams,
  outcome?: OwnOutcome,
  cookies: readonly string[] = [],
): Promise<Response> {
  const carried = await carryOwnOutcome({ path: "/sign-in", config }, outcome);
  return seeOther(signInPath(form.get("to")), [carried, ...cookies]);
}

function missingOf(userId: string, password: string): OwnOutcomeName | undefined {
  if (userId === "") return password === "" ? "credentials-missing" : "user-id-missing";
  return password === "" ? "password-missing" : undefined;
}

function again(userId: string, { outcome, attemptsLeft, waitSeconds }: OwnOutcome): OwnOutcome {
  const typed = userId.length > 0 && userId.length <= 100 ? { userId } : {};
  const left = attemptsLeft === undefined ? {} : { attemptsLeft };
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return { outcome, ...left, ...wait, ...typed };
}

/** The code from the phone, the second element. */
export async function answerCode(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, session } = visit;
  const to = ownPath(form.get("to"));
  // The page knows where a second click leads on to.
  if (session.state !== "password") return seeOther(signInPath(to));
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return askAgain(visit, to, { outcome: "code-missing" });
  // What cannot be a code takes no attempt.
  if (code.length !== house.profile.sca.codeDigits || !/^[0-9]+$/.test(code)) {
    return askAgain(visit, to, { outcome: "code-malformed" });
  }
  return complete(visit, { signIn: session.signIn, proof: { method: "code", code }, to });
}

/** A code, or another one, to the PSU's phone; the one before is worth nothing any more. */
export async function answerNewSignInCode(
  visit: OwnVisit,
  form: URLSearchParams,
): Promise<Response> {
  const { house, session, language, now } = visit;
  const page = signInPath(form.get("to"));
  if (session.state !== "password") return seeOther(page);
  const wording = textsFor(language).signIn.codeMessage(house.profile.name);
  const { outcome } = await sendSignInCode(house, { signIn: session.signIn, wording, now });
  if (outcome === "ended") return seeOther(page);
  const where = { path: "/sign-in", config: house.config };
  // The first of a PSU who has a passkey takes no other's place.
  const first = outcome === "code-sent" && session.signIn.challenge === undefined;
  const said = outcome === "code-sent" ? "new-code-sent" : outcome;
  return seeOther(page, [await carryOwnOutcome(where, first ? undefined : { outcome: said })]);
}

/** What a passkey is to sign; asked for by the page's own script. */
export async function answerSignInChallenge(visit: OwnVisit): Promise<Response> {
  const { house, session, now } = visit;
  if (session.state !== "password") return seeOther(signInPath(undefined));
  const asked = await openSignInPasskeyChallenge(house, { signIn: session.signIn, now });
  if (asked.outcome !== "challenged") return seeOther(signInPath(undefined));
  const options = requestOptions(house, asked);
  return Response.json({ options }, { headers: { "Cache-Control": "no-store" } });
}

/** The signature, the second element. What cannot be one takes no attempt. */
export async function answerSignInPasskey(
  visit: OwnVisit,
  form: URLSearchParams,
): Promise<Response> {
  const { session } = visit;
  const to = ownPath(form.get("to"));
  if (session.state !== "password") return seeOther(signInPath(to));
  const assertion = readAssertion(form.get("assertion"));
  if (assertion === undefined) return askAgain(visit, to, { outcome: "passkey-missing" });
  const proof = { method: "passkey", assertion } as const;
  return complete(visit, { signIn: session.signIn, proof, to });
}

const asked = z.object({ nonce: z.string() });

/**
 * What a passkey is to sign so that its owner is heard in spite of a block. The browser offers those that it has
 * for this bank: nobody has to say a user ID, and none is told.
 */
export async function answerUnlockChallenge({ house }: OwnVisit): Promise<Response> {
  const { config, profile } = house;
  const nonce = newNonce();
  const seconds = profile.sca.passkeyMinutes * 60;
  const sealed = await seal(config.SESSION_SECRET, "unlock-challenge", { nonce }, seconds);
  const challenge = await unlockChallenge(nonce);
  const options = requestOptions(house, { challenge, passkeys: [] });
  return Response.json({ options, sealed }, { headers: { "Cache-Control": "no-store" } });
}

/** The signature. In this browser its owner may try the password for a while, whoever else has failed. */
export async function answerUnlock(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, now } = visit;
  const { config } = house;
  const to = signInPath(form.get("to"));
  const sealed = form.get("sealed") ?? undefined;
  const open = await unseal(config.SESSION_SECRET, "unlock-challenge", sealed, asked);
  const assertion = readAssertion(form.get("assertion"));
  const psu =
    open === undefined || assertion === undefined
      ? undefined
      : await unlock(house, { assertion, nonce: open.nonce, now });
  const outcome = psu === undefined ? "not-unlocked" : "unlocked";
  const said = await carryOwnOutcome({ path: "/sign-in", config }, { outcome });
  return seeOther(
    to,
    psu === undefined ? [said] : [said, await unlockedCookie(house, psu.userId, now)],
  );
}

type Given = { readonly signIn: SignIn; readonly proof: Proof; readonly to: string };

/** What comes of the second element, whichever it is. */
async function complete(visit: OwnVisit, { signIn, proof, to }: Given): Promise<Response> {
  const { house, language, unlockedFor, now } = visit;
  const opened = await newOwnSession();
  const given = { signIn, proof, opens: opened.session, unlockedFor, now };
  const completion = await completeSignIn(house, given);
  switch (completion.outcome) {
    case "signed-in":
      await house.psuLanguages.keep(signIn.psuId, language);
      return seeOther(to, [await ownCookie(house, opened.id)]);
    case "wrong-proof":
      return askAgain(visit, to, { ...completion, outcome: `wrong-${proof.method}` });
    case "stale-proof":
      return askAgain(visit, to, { outcome: `${proof.method}-expired` });
    case "blocked":
      return askAgain(visit, to, { outcome: "blocked" });
    case "ended":
      return seeOther(signInPath(to));
  }
}

async function askAgain(
  { house: { config } }: OwnVisit,
  to: string,
  outcome: OwnOutcome,
): Promise<Response> {
  return seeOther(signInPath(to), [await carryOwnOutcome({ path: "/sign-in", config }, outcome)]);
}
