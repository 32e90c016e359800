import type postgres from "postgres";
import type { AccountConsent, GrantedAccount } from "@/lib/domain/consent/account-consent";
import type { Iban } from "@/lib/domain/iban";
import {
  type AccountId,
  type ConsentId,
  newAuthorisationId,
  newConsentId,
  newResourceId,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { AccountConsentDecision } from "@/lib/domain/sca/authorisation-store";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { accessBudget } from "./access-budget";
import { authorisationStore } from "./authorisation-store";
import type { Database } from "./client";
import { consentStore } from "./consent-store";
import { oidcModels } from "./oidc-models";
import { paymentStore } from "./payment-store";
import { psuAttempts } from "./psu-attempts";
import { tppRegister } from "./tpp-store";

/** Rows for the tests of this room, all of one morning. */
export const now = new Date("2026-11-20T10:00:00.123Z");
export const today = "2026-11-20" as IsoDate;
export const minutesOn = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

/** More than any test has open. */
export const openMax = 5_000;

export const ana = "psu-ana" as PsuId;
export const mihai = "psu-mihai" as PsuId;

export const exampleTpp: Tpp = {
  id: "PSDRO-NBR-1234567" as TppId,
  name: "Example TPP",
  authorityName: "National Bank of Romania",
  authorityId: "RO-NBR",
  roles: ["PSP_AI", "PSP_PI"],
};
export const otherTpp: Tpp = { ...exampleTpp, id: "PSDDE-BAFIN-99" as TppId, name: "Other TPP" };

export function storesOf(db: Database) {
  return {
    tpps: tppRegister(db),
    consents: consentStore(db),
    payments: paymentStore(db),
    authorisations: authorisationStore(db),
    psuAttempts: psuAttempts(db),
    budget: accessBudget(db),
    models: oidcModels(db),
  };
}
export type Stores = ReturnType<typeof storesOf>;

type Received = { readonly consent: AccountConsent; readonly authorisation: Authorisation };

export function receivedConsent(
  given: Partial<AccountConsent> = {},
  started: Partial<Authorisation> = {},
): Received {
  const consent: AccountConsent = {
    id: newConsentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    requestedAccess: { transactions: [], balances: [], availableAccounts: "allAccounts" },
    access: {
      model: "bankOffered",
      rights: { balances: true, transactions: true, ownerName: false },
      named: [],
    },
    recurringIndicator: true,
    validUntil: "2027-05-19" as IsoDate,
    frequencyPerDay: 4,
    createdAt: now,
    lastActionDate: today,
    grantedAccounts: [],
    ...given,
  };
  const authorisation: Authorisation = {
    id: consent.authorisationId,
    kind: "AIS",
    resourceId: consent.id,
    tppId: consent.tppId,
    requestId: crypto.randomUUID() as string as RequestId,
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

export const accountOne = "account-1" as AccountId;

export function granted(accountId: AccountId = accountOne): GrantedAccount {
  return {
    resourceId: newResourceId(),
    accountId,
    iban: "RO49DRWB1B31007593840000" as Iban,
    currency: "RON" as Currency,
    rights: { balances: true, transactions: false, ownerName: true },
  };
}

/** A consent whose PSU has signed in, chosen and sent the code of the decision that comes back. */
export async function challenged(
  { consents, authorisations, models }: Stores,
  { psuId = ana, ...given }: Partial<AccountConsent> = {},
): Promise<AccountConsentDecision & { readonly codeFingerprint: string }> {
  const { consent, authorisation } = receivedConsent(given);
  const { id } = authorisation;
  const codeFingerprint = `fingerprint of ${id}`;
  await consents.insert(consent, authorisation, openMax);
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.authenticate(id, psuId, now);
  const challenge = { codeFingerprint, expiresAt: minutesOn(5) };
  await authorisations.startChallenge(id, [accountOne], challenge, 4, now);
  await models.upsert("AccessToken", `token of ${id}`, { of: id }, minutesOn(60), {
    grantId: `grant of ${id}`,
    accountId: id,
  });
  await authorisations.takeAttempt(id, 5, now);
  return {
    authorisationId: id,
    consentId: consent.id,
    psuId,
    codeFingerprint,
    grantedAccounts: [granted()],
    on: today,
    at: now,
  };
}

/** A valid one-off consent of `exampleTpp` for these accounts. */
export async function consentedTo(
  stores: Stores,
  ...accounts: readonly [AccountId, ...AccountId[]]
): Promise<ConsentId> {
  const decision = await challenged(stores, { recurringIndicator: false });
  const grantedAccounts = accounts.map((account) => granted(account));
  await stores.authorisations.finaliseAccountConsent({ ...decision, grantedAccounts });
  return decision.consentId;
}

export const tokenAlive = async ({ models }: Stores, { authorisationId }: AccountConsentDecision) =>
  (await models.find("AccessToken", `token of ${authorisationId}`, now)) !== undefined;

/** The calls start together; how many of them were told `true`. */
export async function winners(count: number, call: () => Promise<boolean>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, call));
  return answers.filter(Boolean).length;
}

/** Until this many connections to the database stand before a lock of another. */
export async function waitingForLocks(
  database: { readonly sql: postgres.Sql },
  count: number,
): Promise<void> {
  const waiting = await database.sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  if (waiting.length < count) await waitingForLocks(database, count);
}
