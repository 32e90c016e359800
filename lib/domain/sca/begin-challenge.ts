import type { BankAccount } from "../account-access/bank-account";
import { accountMeant } from "../consent/account-meant";
import { dayIn } from "../iso-date";
import type { Authorisation } from "./authorisation";
import { type Challenged, type ChallengePorts, openChallenge } from "./open-challenge";
import { isDecided } from "./sca-status";

export type Beginning = Challenged | { readonly outcome: "not-own-account" };

/**
 * Where the account is fixed there is nothing to choose: the code is sent as soon as the PSU is known.
 * An account that is none of the PSU's own payment accounts ends the authorisation here.
 */
export async function beginChallenge(
  ports: ChallengePorts,
  { authorisation, now }: { readonly authorisation: Authorisation; readonly now: Date },
): Promise<Beginning> {
  const { id, kind, scaStatus } = authorisation;
  if (kind === "AIS" || isDecided(scaStatus)) return { outcome: "ended" };
  const account = await fixedAccount(ports, authorisation);
  if (account === undefined) {
    const on = dayIn(ports.profile.timeZone, now);
    await ports.authorisations.fail({ id, because: "not-own-account", on, at: now });
    return { outcome: "not-own-account" };
  }
  return openChallenge(ports, { authorisation, selection: [account.id], now });
}

type AccountPorts = Pick<ChallengePorts, "payments" | "fundsConsents" | "accountSource">;

/** The account that the payment or the funds consent is about, if it is this PSU's own. */
export async function fixedAccount(
  ports: AccountPorts,
  { id, kind, psuId }: Pick<Authorisation, "id" | "kind" | "psuId">,
): Promise<BankAccount | undefined> {
  if (psuId === undefined) return undefined;
  const own = await ports.accountSource.paymentAccountsOf(psuId);
  if (kind === "PIS") {
    const payment = await ports.payments.findByAuthorisation(id);
    const order = payment?.order;
    return order && accountMeant(order.debtor, own, order.amount.currency);
  }
  const consent = await ports.fundsConsents.findByAuthorisation(id);
  return consent && accountMeant(consent.account, own);
}
