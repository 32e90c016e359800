import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { AccountId, AuthorisationId, PsuId } from "@/lib/domain/identifiers";
import { dayIn } from "@/lib/domain/iso-date";
import type { Money } from "@/lib/domain/money";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { ana } from "@/lib/postgres/samples";
import { newAccountId, receivedFundsConsent } from "@/lib/postgres/testing-funds";
import { confirmed, eur, initiation, order, payer } from "@/lib/postgres/testing-payment-samples";
import { okUri, type TestBank } from "./bank";
import type { Waiting } from "./tpp-journey";

/** A payment that waits for its PSU. */
export async function waitingPayment(
  bank: TestBank,
  tpp: Tpp,
  { dayLimit = eur(5_000_000n) }: { readonly dayLimit?: Money } = {},
): Promise<Waiting> {
  const now = await bank.ports.clock.now();
  const { psuId, accountId, iban } = await payer(bank.db);
  const begun = initiation({ tppId: tpp.id, order: { ...order, debtor: { iban } } });
  const { payment, authorisation } = begun.started;
  const started = { ...begun.started, authorisation: { ...authorisation, ...fresh(now) } };
  await bank.stores.payments.initiate({ ...begun, started });
  const { id, authorisationId } = payment;
  const debit = { accountId, amount: payment.order.amount, fee: eur(0n) };
  const linked = await linkHash(paymentLink(payment, debit));
  return {
    kind: "PIS",
    id,
    authorisationId,
    finalise: async () => {
      const told = await challenged(bank, { authorisationId, psuId, accountId });
      const submitAgainAt = after(told.at, 5, "second");
      const decision = { ...told, authorisationId, paymentId: id, debit, linked, submitAgainAt };
      return confirmed(bank.db, decision, { psuDayLimit: dayLimit });
    },
  };
}

/** A confirmation of funds consent that waits for its PSU. */
export async function waitingFunds(
  bank: TestBank,
  tpp: Tpp,
  given: Partial<FundsConsent> = {},
): Promise<Waiting> {
  const now = await bank.ports.clock.now();
  const received = receivedFundsConsent({ tppId: tpp.id, createdAt: now, ...given }, fresh(now));
  const { consent, authorisation } = received;
  const { openPerTppMax } = aspspProfile.sca;
  await bank.stores.fundsConsents.insert(consent, authorisation, openPerTppMax);
  const { id, authorisationId } = consent;
  const accountId = newAccountId();
  return {
    kind: "PIIS",
    id,
    authorisationId,
    finalise: async () => {
      const told = await challenged(bank, { authorisationId, psuId: ana, accountId });
      const decision = { ...told, authorisationId, consentId: consent.id, accountId };
      return bank.stores.authorisations.finaliseFundsConsent(decision);
    },
  };
}

const fresh = (now: Date) => ({
  wayBack: { redirectUri: okUri },
  createdAt: now,
  expiresAt: after(now, aspspProfile.sca.windowMinutes, "minute"),
});

type SignedIn = {
  readonly authorisationId: AuthorisationId;
  readonly psuId: PsuId;
  readonly accountId: AccountId;
};

/** The PSU has signed in and typed the code of the challenge that comes back. */
async function challenged(bank: TestBank, { authorisationId: id, psuId, accountId }: SignedIn) {
  const at = await bank.ports.clock.now();
  const { authorisations } = bank.stores;
  const codeFingerprint = `fingerprint of ${id}`;
  await authorisations.takeAttempt(id, 5, at);
  await authorisations.authenticate(id, psuId, at);
  const challenge = { codeFingerprint, expiresAt: after(at, 5, "minute") };
  await authorisations.startChallenge(id, [accountId], challenge, 4, at);
  await authorisations.takeAttempt(id, 5, at);
  return { psuId, codeFingerprint, on: dayIn(aspspProfile.timeZone, at), at };
}
