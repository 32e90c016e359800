import { z } from "zod";
import { newNonce } from "@/lib/domain/passkeys/challenge";
import { openSignInPasskeyChallenge } from "@/lib/domain/sign-in/passkey-challenge";
import { unlock, unlockChallenge } from "@/lib/domain/sign-in/unlock";
import { requestOptions } from "../../passkeys/request-options";
import { readAssertion } from "../../passkeys/wire";
import { seal, unseal } from "../../sealed";
import { seeOther } from "../../see-other";
import { unlockedCookie } from "../../unlocked";
import { carryOwnOutcome } from "../outcome";
import { ownPath, signInPath } from "../paths";
import type { OwnVisit } from "../visit";
import { askAgain, complete } from "./complete";

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
