import type { BankAccount } from "../account-access/bank-account";
import { accountMeant } from "../consent/account-meant";
import { dayIn } from "../iso-date";
import { type AskedFor, type AskingPorts, askForProof } from "./ask-for-proof";
import type { Authorisation } from "./authorisation";
import type { CodeWording } from "./code-message";
import { type ChallengePorts, openChallenge } from "./open-challenge";
import { isDecided } from "./sca-status";

type Beginner = {
  readonly authorisation: Authorisation;
  readonly wording: CodeWording;
  /** The PSU wants a code, passkey or not. */
  readonly byCode?: boolean;
  readonly now: Date;
};

export type Beginning = AskedFor | { readonly outcome: "not-own-account" };

/**
 * Where the account is fixed there is nothing to choose: the proof is asked for as soon as the PSU is
 * known. An account that is none of the PSU's own payment accounts ends the authorisation here.
 */
export async function beginChallenge(
  ports: AskingPorts,
  { authorisation, wording, byCode = false, now }: Beginner,
): Promise<Beginning> {
  const { id, kind, scaStatus } = authorisation;
  if (kind === "AIS" || isDecided(scaStatus)) return { outcome: "ended" };
  const account = await fixedAccount(ports, authorisation);
  if (account === undefined) {
    const on = dayIn(ports.profile.timeZone, now);
    await ports.authorisations.fail({ id, because: "not-own-account", on, at: now });
    return { outcome: "not-own-account" };
  }
  const ask = byCode ? openChallenge : askForProof;
  return ask(ports, { authorisation, selection: [account.id], wording, now });
}

type AccountPorts = Pick<ChallengePorts, "payments" | "fundsConsents" | "coreBank">;

/** The account that the payment or the funds consent is about, if it is this PSU's own. */
export async function fixedAccount(
  ports: AccountPorts,
  { id, kind, psuId }: Pick<Authorisation, "id" | "kind" | "psuId">,
): Promise<BankAccount | undefined> {
  if (psuId === undefined) return undefined;
  const own = await ports.coreBank.accountsOf(psuId);
  if (kind === "PIS") {
    const payment = await ports.payments.findByAuthorisation(id);
    const order = payment?.order;
    return order && accountMeant(order.debtor, own, order.amount.currency);
  }
  const consent = await ports.fundsConsents.findByAuthorisation(id);
  return consent && accountMeant(consent.account, own);
}
