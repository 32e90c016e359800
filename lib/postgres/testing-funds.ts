import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { type AspspProfile, aspspProfile } from "@/lib/domain/aspsp-profile";
import { confirmFunds, type FundsRequest } from "@/lib/domain/funds-confirmation/confirm-funds";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { Iban } from "@/lib/domain/iban";
import {
  type AccountId,
  type ConsentId,
  newAuthorisationId,
  newConsentId,
  type RequestId,
  type TppId,
} from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { FundsConsentDecision } from "@/lib/domain/sca/authorisation-store";
import { authorisationStore } from "./authorisation-store";
import type { Database } from "./client";
import { fundsCheck } from "./funds-check";
import { fundsConsentStore } from "./funds-consent-store";
import { oidcModels } from "./oidc-models";
import { ana, exampleTpp, minutesOn, now, openMax, today } from "./samples";

export function fundsStoresOf(db: Database) {
  return {
    fundsConsents: fundsConsentStore(db),
    authorisations: authorisationStore(db),
    models: oidcModels(db),
  };
}
export type FundsStores = ReturnType<typeof fundsStoresOf>;

export const requestId = () => crypto.randomUUID() as string as RequestId;

type Received = { readonly consent: FundsConsent; readonly authorisation: Authorisation };

export function receivedFundsConsent(
  given: Partial<FundsConsent> = {},
  started: Partial<Authorisation> = {},
): Received {
  const consent: FundsConsent = {
    id: newConsentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    account: { iban: "RO49DRWB1B31007593840000" as Iban },
    createdAt: now,
    ...given,
  };
  const authorisation: Authorisation = {
    id: consent.authorisationId,
    kind: "PIIS",
    resourceId: consent.id,
    tppId: consent.tppId,
    requestId: requestId(),
    scaStatus: "received",
    wayBack: { redirectUri: "https://tpp.example/ok" },
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: now,
    expiresAt: minutesOn(15),
    ...started,
  };
  return { consent, authorisation };
}

export const newAccountId = () => crypto.randomUUID() as string as AccountId;

/** A consent whose PSU has signed in and been sent the code of the decision that comes back. */
export async function challengedFunds(
  { fundsConsents, authorisations, models }: FundsStores,
  { psuId = ana, accountId = newAccountId(), ...given }: Partial<FundsConsent> = {},
): Promise<FundsConsentDecision> {
  const { consent, authorisation } = receivedFundsConsent(given);
  const { id } = authorisation;
  const codeFingerprint = `fingerprint of ${id}`;
  await fundsConsents.insert(consent, authorisation, openMax);
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.authenticate(id, psuId, now);
  const challenge = { codeFingerprint, expiresAt: minutesOn(5) };
  await authorisations.startChallenge(id, [accountId], challenge, 4, now);
  const token = { grantId: `grant of ${id}`, accountId: id };
  await models.upsert("AccessToken", `token of ${id}`, { of: id }, minutesOn(6_000_000), token);
  await authorisations.takeAttempt(id, 5, now);
  return {
    authorisationId: id,
    consentId: consent.id,
    accountId,
    psuId,
    codeFingerprint,
    on: today,
    at: now,
  };
}

/** The same, and the PSU has said yes. */
export async function validFunds(stores: FundsStores, given: Partial<FundsConsent> = {}) {
  const decision = await challengedFunds(stores, given);
  const finalised = await stores.authorisations.finaliseFundsConsent(decision);
  if (!finalised) throw new Error("not finalised");
  return decision;
}

type FundsPorts = Parameters<typeof confirmFunds>[0];

/** All that a question about funds takes, with the ledger as the core bank. */
export const fundsPortsOf = (db: Database, profile: AspspProfile = aspspProfile): FundsPorts => ({
  ...fundsStoresOf(db),
  coreBank: ledger(db),
  fundsCheck: fundsCheck(db),
  profile,
});

type Asked = {
  readonly consentId: ConsentId;
  readonly tppId?: TppId;
  readonly request: FundsRequest;
  readonly now: Date;
};

/** A question by a TPP's own consent. */
export async function askForFunds(
  ports: FundsPorts,
  { consentId, tppId = exampleTpp.id, request, now: at }: Asked,
): Promise<boolean> {
  const consent = await ports.fundsConsents.findOfTpp(consentId, tppId);
  if (consent === undefined) throw new Error("there is no such consent");
  return confirmFunds(ports, { consent, requestId: requestId(), request, now: at });
}

export const fundsTokenAlive = async (
  { models }: FundsStores,
  { authorisationId }: FundsConsentDecision,
) => (await models.find("AccessToken", `token of ${authorisationId}`, now)) !== undefined;
