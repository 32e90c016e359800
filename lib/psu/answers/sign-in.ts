import * as z from "zod";
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
import { carryOutcome, type OwnOutcome } from "../outcome";
import { readAssertion, requestOptions } from "../passkeys";
import { jsonAnswer, ownPath, seeOther, signInPath } from "../paths";
import type { PsuServices } from "../ports";
import { newOwnSession, ownCookie, seal, unlockedCookie, unseal } from "../session";
import { textsFor } from "../texts/texts-for";
import type { OwnVisit } from "../visit";
import { readCode, readCredentials, withUserId } from "./typed";

/** User ID and password, the first element. With the right ones the PSU gets a new session and is asked for the second. */
export async function answerPassword(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { services, language, network, unlockedFor, now } = visit;
  const to = ownPath(form.get("to"));
  const typed = readCredentials(form);
  if (typed === undefined || services.config.PSU_LOGIN === "oidc") return answered(visit, to);
  const { userId, password, missing } = typed;
  if (missing !== undefined) return answered(visit, to, withUserId(userId, { outcome: missing }));

  const { id, session } = await newOwnSession();
  const asked = { userId, password, session, network, unlockedFor, now };
  const begun = await beginSignIn(services, asked);
  if (begun.outcome !== "password-right") return answered(visit, to, withUserId(userId, begun));

  const wording = textsFor(language).signIn.codeMessage(services.profile.name);
  const { outcome } = await askAtSignIn(services, { signIn: begun.signIn, wording, now });
  const cookie = await ownCookie(services, id);
  const sent = outcome === "code-sent" || outcome === "passkey-asked" || outcome === "ended";
  return answered(visit, to, sent ? undefined : { outcome }, [cookie]);
}

/** The code from the phone, the second element. */
export async function answerCode(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { services, session } = visit;
  const to = ownPath(form.get("to"));
  // After a second click the PSU is signed in already, and the page leads on.
  if (session.state !== "password") return seeOther(signInPath(to));
  const typed = readCode(form, services.profile.sca.codeDigits);
  if (typed.outcome !== undefined) return answered(visit, to, typed);
  const proof = { method: "code", code: typed.code } as const;
  return complete(visit, { signIn: session.signIn, proof, to });
}

/** A code to the PSU's phone; an earlier one is no longer valid. */
export async function answerNewSignInCode(
  visit: OwnVisit,
  form: URLSearchParams,
): Promise<Response> {
  const { services, session, language, now } = visit;
  const to = ownPath(form.get("to"));
  if (session.state !== "password") return seeOther(signInPath(to));
  const wording = textsFor(language).signIn.codeMessage(services.profile.name);
  const { outcome } = await sendSignInCode(services, { signIn: session.signIn, wording, now });
  if (outcome === "ended") return seeOther(signInPath(to));
  // The first code of a PSU who has a passkey replaces no other.
  const first = outcome === "code-sent" && session.signIn.challenge === undefined;
  const said = outcome === "code-sent" ? "new-code-sent" : outcome;
  return answered(visit, to, first ? undefined : { outcome: said });
}

/** What a passkey is to sign, for the page's own script. */
export async function answerSignInChallenge(visit: OwnVisit): Promise<Response> {
  const { services, session, now } = visit;
  if (session.state !== "password") return seeOther(signInPath(undefined));
  const asked = await openSignInPasskeyChallenge(services, { signIn: session.signIn, now });
  if (asked.outcome !== "challenged") return seeOther(signInPath(undefined));
  return jsonAnswer({ options: requestOptions(services, asked) });
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
  if (assertion === undefined) return answered(visit, to, { outcome: "passkey-missing" });
  const proof = { method: "passkey", assertion } as const;
  return complete(visit, { signIn: session.signIn, proof, to });
}

const asked = z.object({ nonce: z.string() });

/**
 * What a passkey is to sign so that its owner may sign in in spite of a block. The browser offers those that it has
 * for this bank: nobody enters a user ID, and the answer names none.
 */
export async function answerUnlockChallenge({ services }: OwnVisit): Promise<Response> {
  const { config, profile } = services;
  const nonce = newNonce();
  const seconds = profile.sca.passkeyMinutes * 60;
  const sealed = await seal(config.SESSION_SECRET, "unlock-challenge", { nonce }, seconds);
  const challenge = await unlockChallenge(nonce);
  const options = requestOptions(services, { challenge, passkeys: [] });
  return jsonAnswer({ options, sealed });
}

/** The signature. In this browser its owner may try the password for a while, whatever others have tried. */
export async function answerUnlock(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { services, now } = visit;
  const to = ownPath(form.get("to"));
  const sealed = form.get("sealed") ?? undefined;
  const open = await unseal(services.config.SESSION_SECRET, "unlock-challenge", sealed, asked);
  const assertion = readAssertion(form.get("assertion"));
  if (open === undefined || assertion === undefined) {
    return answered(visit, to, { outcome: "not-unlocked" });
  }
  const psu = await unlock(services, { assertion, nonce: open.nonce, now });
  if (psu === undefined) return answered(visit, to, { outcome: "not-unlocked" });
  const cookie = await unlockedCookie(services, psu.userId, now);
  return answered(visit, to, { outcome: "unlocked" }, [cookie]);
}

type Given = { readonly signIn: SignIn; readonly proof: Proof; readonly to: string };

/** What comes of the second element, code or passkey. */
async function complete(visit: OwnVisit, { signIn, proof, to }: Given): Promise<Response> {
  const { services, language, unlockedFor, now } = visit;
  const opened = await newOwnSession();
  const given = { signIn, proof, opens: opened.session, unlockedFor, now };
  const completion = await completeSignIn(services, given);
  switch (completion.outcome) {
    case "signed-in":
      await services.psuLanguages.keep(signIn.psuId, language);
      return seeOther(to, [await ownCookie(services, opened.id)]);
    case "wrong-proof":
      return answered(visit, to, { ...completion, outcome: `wrong-${proof.method}` });
    case "stale-proof":
      return answered(visit, to, { outcome: `${proof.method}-expired` });
    case "blocked":
      return answered(visit, to, { outcome: "blocked" });
    case "ended":
      return seeOther(signInPath(to));
  }
}

/** Back to the sign-in, which says what came of the answer. */
export async function answered(
  { services: { config } }: { readonly services: Pick<PsuServices, "config"> },
  to: string,
  outcome?: OwnOutcome,
  cookies: readonly string[] = [],
): Promise<Response> {
  const carried = await carryOutcome({ path: "/sign-in", config }, outcome);
  return seeOther(signInPath(to), [carried, ...cookies]);
}
