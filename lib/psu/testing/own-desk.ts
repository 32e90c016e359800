import { validFundsConsent } from "@/lib/domain/testing/funds";
import { ana, current, multiEur, validConsent } from "@/lib/domain/testing/samples";
import { desk, savings } from "./desk";
import { ownBrowser } from "./own-browser";
import { receivedPayment } from "./resources";

/** ana at her permissions: one of each kind, all of one TPP. */
export async function atPermissions(language?: string) {
  const ours = await desk();
  const house = { bank: ours.bank, ports: ours.house };
  const funds = await validFundsConsent(house);
  const accounts = await validConsent(house, {}, [current, savings]);
  ours.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const payment = receivedPayment(house);
  const authorisation = ours.bank.authorisations.get(payment.authorisationId);
  if (authorisation === undefined) throw new Error("no authorisation");
  ours.bank.authorisations.set(authorisation.id, { ...authorisation, psuId: ana });
  const psu = ownBrowser(ours, language);
  await psu.signIn();
  const read = (what: "accounts" | "balances", attended: boolean) =>
    ours.bank.reads.push({
      consentId: accounts.id,
      tppId: accounts.tppId,
      what,
      ...(what === "balances" && { accountId: current.id }),
      at: accounts.createdAt,
      attended,
    });
  return {
    ours,
    psu,
    read,
    accounts: `accounts/${accounts.id}`,
    funds: `funds/${funds.id}`,
    payment: `payments/${payment.id}`,
    consentId: accounts.id,
  };
}
