import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { type OfferedAccount, offerAccounts, unite } from "@/lib/domain/sca/offer-accounts";
import type { Visit } from "./visit";

/** What the PSU is about to agree to, read from the rows that the code is bound to. */
export type ConsentSummary = {
  readonly accounts: readonly OfferedAccount[];
  /** All that may be read of at least one of the accounts. */
  readonly rights: AccessRights;
  readonly consent: Pick<AccountConsent, "recurringIndicator" | "validUntil" | "frequencyPerDay">;
  readonly oneOffMinutes: number;
  readonly historyDays: number;
  readonly unlimitedHistoryMinutes: number;
};

/** Undefined when there is nothing to sum up. */
export async function summarise(visit: Visit): Promise<ConsentSummary | undefined> {
  const { house, authorisation } = visit;
  const { id, psuId, selection } = authorisation;
  const { oneOffMinutes, historyDays, unlimitedHistoryMinutes } = house.profile.accountConsent;
  const consent = await house.consents.findByAuthorisation(id);
  if (psuId === undefined || consent === undefined) return undefined;
  const offered = await offerAccounts(house, { authorisation, psuId });
  const accounts = offered.filter(({ account }) => selection.includes(account.id));
  return {
    accounts,
    rights: accounts.map(({ rights }) => rights).reduce(unite, NOTHING),
    consent,
    oneOffMinutes,
    historyDays,
    unlimitedHistoryMinutes,
  };
}

const NOTHING: AccessRights = { balances: false, transactions: false, ownerName: false };
