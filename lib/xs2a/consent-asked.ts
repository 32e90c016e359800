import { consentOfSameRequest } from "@/lib/domain/consent/read-account-consent";
import type { ConsentAsked } from "@/lib/domain/consent/used-request-id";
import { fundsConsentOfSameRequest } from "@/lib/domain/funds-confirmation/read-funds-consent";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Answer, Caller } from "./endpoint";
import type { Xs2aPorts } from "./ports";
import { digestOf } from "./read-body";
import { accountConsentCreated } from "./wire/account-consent";
import { fundsConsentCreated } from "./wire/funds-consent";
import { type RedirectHeaders, wayBackOf } from "./wire/headers";

type Call = Caller & { readonly headers: RedirectHeaders };

/** A request for a consent in the domain's words, without what it says of the consent itself. */
export function consentAsked(call: Call): ConsentAsked & { readonly knownTpp: Tpp | undefined } {
  return {
    tpp: call.qwac.tpp,
    knownTpp: call.knownTpp,
    requestId: call.requestId,
    bodyDigest: digestOf(call.bytes),
    wayBack: wayBackOf(call.headers),
    loginHint: call.headers["psu-id"],
    now: call.now,
  };
}

/**
 * The first answer to the same request. A `validUntil` that was shortened, 9999-12-31, is in form on any day,
 * and its request is not looked for here.
 */
export async function accountConsentAnswered(
  call: Call,
  ports: Xs2aPorts,
): Promise<Answer | undefined> {
  const consent = await consentOfSameRequest(ports, consentAsked(call));
  return consent && accountConsentCreated({ consent, shortened: false }, ports);
}

/** The same of a consent to confirm funds. */
export async function fundsConsentAnswered(
  call: Call,
  ports: Xs2aPorts,
): Promise<Answer | undefined> {
  const consent = await fundsConsentOfSameRequest(ports, consentAsked(call));
  return consent && fundsConsentCreated(consent, ports);
}
