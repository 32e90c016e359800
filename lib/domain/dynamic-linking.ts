import { accountMeant, type Debit, type GrantedAccount } from "./accounts";
import type {
  Authorisation,
  AuthorisationStore,
  Confirmed,
  FailureReason,
  Linking,
  ResourceKind,
} from "./authorisation";
import { type ConsentStore, isPastLastDay, offerAccounts } from "./consents";
import { bankRefusal } from "./core-bank";
import { type FundsConsentStore, lastDayOfCard } from "./funds";
import type { Creditor, Payment } from "./payment-order";
import { type SubmissionPorts, submitPayment } from "./payments";
import {
  type AccountId,
  type AuthorisationId,
  addTime,
  type ConsentId,
  type Iban,
  type IsoDate,
  type Money,
  newResourceId,
  sha256,
} from "./values";

/** What a code or a signature authorises, as it is now: computed for each challenge and again for each answer. */
type Subject = {
  /** Another text as soon as anything differs that the PSU agrees to. */
  readonly linked: string;
  /** For the text on the phone. */
  readonly purpose: CodePurpose;
  readonly finalise: (confirmed: Confirmed) => Promise<Finalisation>;
};

/**
 * `rejected`: the PSU has authorised it, and a rule of the bank refuses it all the same. `gone`: it is
 * no longer what the PSU agreed to. `too-late`: another request was first.
 */
export type Finalisation = "finalised" | "rejected" | "gone" | "too-late";

/** The PSU's page shows something else than would be done now. Nothing was judged, and what is open stays open. */
export type NotShown = { readonly outcome: "not-shown" };

export type SubjectPorts = SubmissionPorts & {
  readonly authorisations: AuthorisationStore;
  readonly consents: ConsentStore;
  readonly fundsConsents: FundsConsentStore;
};

const subjects: Readonly<
  Record<
    ResourceKind,
    (ports: SubjectPorts, authorisation: Authorisation, now: Date) => Promise<Subject | undefined>
  >
> = { AIS: accountConsentSubject, PIIS: fundsConsentSubject, PIS: paymentSubject };

/** Undefined when there is nothing left that could be confirmed. */
export async function subjectOf(
  ports: SubjectPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<(Subject & Linking) | undefined> {
  const subject = await subjects[authorisation.kind](ports, authorisation, now);
  return subject && { ...subject, linkHash: await sha256(subject.linked) };
}

/** Why there is no subject any more. */
export async function goneBecause(
  { consents, profile }: Pick<SubjectPorts, "consents" | "profile">,
  { id }: Pick<Authorisation, "id">,
  now: Date,
): Promise<FailureReason> {
  const consent = await consents.findByAuthorisation(id);
  const isOver = consent !== undefined && isPastLastDay(consent, now, profile);
  return isOver ? "last-day-over" : "account-gone";
}

/**
 * What a code authorises for an account information consent: this selection of accounts and no other; their order
 * does not matter. Undefined once its last day is over: it would grant nothing, and end the earlier consent.
 */
async function accountConsentSubject(
  ports: SubjectPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<Subject | undefined> {
  const consent = await ports.consents.findByAuthorisation(authorisation.id);
  if (consent === undefined || isPastLastDay(consent, now, ports.profile)) return undefined;
  const { selection } = authorisation;
  const { recurringIndicator, validUntil } = consent;
  return {
    linked: linkedAccounts(selection),
    purpose: {
      kind: "AIS",
      accounts: selection.length,
      until: recurringIndicator ? validUntil : undefined,
    },
    finalise: (confirmed) => finaliseAccountConsent(ports, authorisation, consent.id, confirmed),
  };
}

async function finaliseAccountConsent(
  ports: SubjectPorts,
  authorisation: Authorisation,
  consentId: ConsentId,
  confirmed: Confirmed,
): Promise<Finalisation> {
  const grantedAccounts = await grantAccounts(ports, authorisation);
  if (grantedAccounts.length !== authorisation.selection.length) return "gone";
  const finalised = await ports.authorisations.finaliseAccountConsent({
    ...confirmed,
    authorisationId: authorisation.id,
    consentId,
    grantedAccounts,
    keepsEarlier: ports.profile.features.severalRecurringConsents,
  });
  return finalised ? "finalised" : "too-late";
}

/** The selected accounts with their rights, as far as they are still the PSU's own. */
async function grantAccounts(
  ports: SubjectPorts,
  authorisation: Authorisation,
): Promise<readonly GrantedAccount[]> {
  if (authorisation.psuId === undefined) return [];
  const offered = await offerAccounts(ports, { authorisation, psuId: authorisation.psuId });
  return offered
    .filter(({ account }) => authorisation.selection.includes(account.id))
    .map(({ account, rights }) => ({
      resourceId: newResourceId(),
      accountId: account.id,
      iban: account.iban,
      currency: account.currency,
      rights,
    }));
}

/** What a code authorises for a confirmation of funds consent: this account for this card's issuer. */
async function fundsConsentSubject(
  ports: SubjectPorts,
  authorisation: Authorisation,
): Promise<Subject | undefined> {
  const { psuId } = authorisation;
  const consent = await ports.fundsConsents.findByAuthorisation(authorisation.id);
  if (consent === undefined || psuId === undefined) return undefined;
  const account = accountMeant(consent.account, await ports.coreBank.accountsOf(psuId));
  if (account === undefined) return undefined;
  return {
    linked: account.id,
    purpose: { kind: "PIIS", iban: consent.account.iban, until: lastDayOfCard(consent) },
    finalise: async (confirmed) => {
      const finalised = await ports.authorisations.finaliseFundsConsent({
        ...confirmed,
        authorisationId: authorisation.id,
        consentId: consent.id,
        accountId: account.id,
      });
      return finalised ? "finalised" : "too-late";
    },
  };
}

/**
 * What a code authorises for a payment (RTS art. 5): this amount, this payee and this debit alone; the text message
 * names amount and payee. Undefined when the debtor account is no longer the PSU's own.
 */
async function paymentSubject(
  ports: SubjectPorts,
  { id, psuId: customerId }: Pick<Authorisation, "id" | "psuId">,
  now: Date,
): Promise<Subject | undefined> {
  const payment = await ports.payments.findByAuthorisation(id);
  if (payment === undefined || customerId === undefined) return undefined;
  const { order } = payment;
  const debit = (await ports.coreBank.quotePayment({ customerId, order, now }))?.debit;
  if (debit === undefined) return undefined;
  const linked = await linkedPayment(payment, debit);
  const { amount, creditor } = order;
  return {
    linked,
    purpose: { kind: "PIS", amount, creditor },
    finalise: (confirmed) => finalisePayment(ports, { payment, debit, linked, confirmed }),
  };
}

type FinalisingPayment = {
  readonly payment: Payment;
  readonly debit: Debit;
  readonly linked: string;
  readonly confirmed: Confirmed;
};

/** Submitted at once, so that PSU and TPP see the core bank's answer; without one the authorisation holds. */
async function finalisePayment(
  ports: SubjectPorts,
  finalising: FinalisingPayment,
): Promise<Finalisation> {
  const { payment, debit, linked, confirmed } = finalising;
  const { psuId, at } = confirmed;
  const outcome = await ports.authorisations.finalisePayment({
    ...confirmed,
    authorisationId: payment.authorisationId,
    paymentId: payment.id,
    debit,
    linked,
    submitAgainAt: addTime(at, ports.profile.payments.submission.retrySeconds, "second"),
  });
  if (outcome !== "finalised") return outcome;
  const authorised = {
    ...payment,
    status: "ACTC",
    statusAt: at,
    psuId,
    authorisedAt: at,
    debit,
  } as const;
  const progress = await submitPayment(ports, authorised, { now: at });
  const answer = progress?.history.at(-1);
  return answer !== undefined && bankRefusal(answer) !== undefined ? "rejected" : "finalised";
}

/** What is linked for a choice of accounts. */
export function linkedAccounts(selection: readonly AccountId[]): string {
  return selection.toSorted().join("\n");
}

/**
 * The same for a payment, as the SHA-256 of one text of all that the PSU agrees to: whatever differs makes another text
 * (RTS art. 5(1)). JSON keeps apart what a separator could run together.
 */
export function linkedPayment(
  { id, order }: Pick<Payment, "id" | "order">,
  { accountId, amount, fee }: Debit,
): Promise<string> {
  const { product, creditor, debtor, chargeBearer } = order;
  const text = JSON.stringify([
    id,
    product,
    [order.amount.minorUnits.toString(), order.amount.currency],
    [creditor.name, creditor.iban, creditor.currency ?? null, creditor.agent ?? null],
    addressOf(creditor.address),
    [debtor.iban, debtor.currency ?? null, accountId],
    [amount.minorUnits.toString(), fee.minorUnits.toString(), amount.currency, chargeBearer],
    [order.endToEndId ?? null, order.remittance ?? null],
  ]);
  return sha256(text);
}

function addressOf(address: Payment["order"]["creditor"]["address"]) {
  if (address === undefined) return null;
  const { streetName, buildingNumber, townName, postCode, country } = address;
  return [streetName, buildingNumber, townName, postCode, country].map((part) => part ?? null);
}

type Bound = {
  readonly authorisationId: AuthorisationId;
  /** ConsentId or PaymentId. */
  readonly resourceId: string;
  /** What is authorised; see `Subject`. */
  readonly linked: string;
};

/**
 * The text whose keyed fingerprint is kept for a code: what is authorised, then the code. So a code fits what it
 * was sent for alone (RTS art. 5(1) for payments; consents get the same).
 */
export function challengeText({ authorisationId, resourceId, linked }: Bound, code: string) {
  return [authorisationId, resourceId, linked, code].join("\n");
}

/**
 * The text of which a passkey signs the SHA-256, or the identity provider is sent it: what is authorised. So dynamic
 * linking (RTS art. 5(1)) lies in the signature itself, and nothing else than this amount to this payee fits it; the
 * text proves later what was signed. The first line keeps it apart from all else the bank makes fingerprints of; what
 * is free in form comes last.
 */
export function signedText(
  by: "approval" | "passkey",
  { authorisationId, resourceId, nonce, linked }: Bound & { readonly nonce: string },
): string {
  return [by, authorisationId, resourceId, nonce, linked].join("\n");
}

/** What a code is for; `lib/psu/texts` words it in the PSU's language. */
export type CodePurpose =
  | {
      readonly kind: "AIS";
      readonly accounts: number;
      /** Undefined when the access is for one time. */
      readonly until: IsoDate | undefined;
    }
  | { readonly kind: "PIIS"; readonly iban: Iban; readonly until: IsoDate | undefined }
  | {
      readonly kind: "PIS";
      readonly amount: Money;
      readonly creditor: Pick<Creditor, "name" | "iban">;
    };

/** `reference`: what the page shows beside the request in the customer's app, so that the two can be compared. */
type CodeMessage = {
  readonly tppName: string;
  readonly purpose: CodePurpose;
} & ({ readonly code: string } | { readonly reference: string });

/**
 * What the PSU reads on the phone: not only the code, but what it will do. In every language a payment's
 * names amount and payee (RTS art. 5(1)).
 */
export type CodeWording = (message: CodeMessage) => string;
