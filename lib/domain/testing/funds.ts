import type { BankAccount } from "../account-access/bank-account";
import { createFundsConsent } from "../funds-confirmation/create-funds-consent";
import type { FundsConsent, FundsConsentRequest } from "../funds-confirmation/funds-consent";
import type { Ports } from "../ports";
import { beginChallenge } from "../sca/begin-challenge";
import { completeAuthorisation } from "../sca/complete-authorisation";
import { identifyPsu } from "../sca/identify-psu";
import type { InMemoryBank } from "./in-memory-bank";
import { ana, current, multiEur, multiRon, newRequestId, now, tpp } from "./samples";
import { speltOut } from "./spelt-out";

type House = { readonly bank: InMemoryBank; readonly ports: Ports };

/** A funds consent that has just been received: for ana's current account, unless said otherwise. */
export async function receivedFundsConsent(
  { ports }: Pick<House, "ports">,
  asked: Partial<FundsConsentRequest> = {},
  requestId = newRequestId(),
): Promise<FundsConsent> {
  return createFundsConsent(ports, {
    tpp,
    requestId,
    bodyDigest: "digest",
    request: { account: { iban: current.iban }, ...asked },
    wayBack: { redirectUri: "https://tpp.example/cb" },
    now,
  });
}

/** The PSU signs in and is sent a code, where the account is the PSU's own. */
export async function challengedFundsConsent(
  house: House,
  asked: Partial<FundsConsentRequest> = {},
  own: readonly BankAccount[] = [current, multiRon, multiEur],
) {
  const { bank, ports } = house;
  bank.accountsOf.set(ana, own);
  const consent = await receivedFundsConsent(house, asked);
  const authorisation = async () => {
    const found = await ports.authorisations.find(consent.authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const credentials = { userId: "ana", password: "ana-sandbox", now };
  await identifyPsu(ports, { authorisation: await authorisation(), ...credentials });
  const beginning = await beginChallenge(ports, {
    authorisation: await authorisation(),
    wording: speltOut,
    now,
  });
  const confirm = async (code = bank.texts.at(-1)?.code ?? "none", at = now) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now: at,
    });
  return { consent, authorisation, outcome: beginning.outcome, confirm };
}

/** A funds consent that ana has authorised. */
export async function validFundsConsent(
  house: House,
  asked: Partial<FundsConsentRequest> = {},
): Promise<FundsConsent> {
  const { consent, confirm } = await challengedFundsConsent(house, asked);
  const { outcome } = await confirm();
  const made = house.bank.fundsConsents.get(consent.id);
  if (outcome !== "finalised" || made === undefined) throw new Error("not authorised");
  return made;
}
