import { z } from "zod";
import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { AccountConsent, GrantedAccount } from "@/lib/domain/consent/account-consent";
import { consentTransitions } from "@/lib/domain/consent/consent-status";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { scaTransitions } from "@/lib/domain/sca/sca-status";
import type { Answer } from "../endpoint";
import type { Xs2aPorts } from "../ports";
import { warning } from "../tpp-messages";
import { accountReferenceSent } from "./account-reference";
import { link } from "./link";

const consentStatus = z.enum(keysOf(consentTransitions));
const scaStatus = z.enum(keysOf(scaTransitions));
const day = z.iso.date();

const created = z.strictObject({
  consentStatus,
  consentId: z.uuid(),
  _links: z.strictObject({ scaOAuth: link, self: link, status: link, scaStatus: link }),
  tppMessages: z
    .array(z.object({ category: z.literal("WARNING"), code: z.string() }).loose())
    .optional(),
});

const references = z.array(accountReferenceSent);
const resolvedAccess = z.strictObject({
  accounts: references,
  balances: references.optional(),
  transactions: references.optional(),
  additionalInformation: z.strictObject({ ownerName: references }).optional(),
});

const consent = z.strictObject({
  access: z.union([resolvedAccess, z.record(z.string(), z.unknown())]),
  recurringIndicator: z.boolean(),
  validUntil: day,
  frequencyPerDay: z.int().min(1),
  lastActionDate: day,
  consentStatus,
  _links: z.strictObject({ account: link }).optional(),
});

export function accountConsentCreated(
  { consent: made, shortened }: { readonly consent: AccountConsent; readonly shortened: boolean },
  { links }: Pick<Xs2aPorts, "links">,
): Answer {
  const self = `${links.aisp}/consents/${made.id}`;
  const remark = `validUntil was shortened to ${made.validUntil}`;
  const value = {
    consentStatus: made.status,
    consentId: made.id,
    _links: {
      scaOAuth: { href: links.scaOAuth },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: `${self}/authorisations/${made.authorisationId}` },
    },
    ...(shortened ? warning(remark, "validUntil") : {}),
  };
  const headers = { location: self, "aspsp-sca-approach": "REDIRECT" };
  return { status: 201, headers, body: { schema: created, value } };
}

/** The consent as it is now: the access as it was asked for until the PSU has chosen, then as it was chosen. */
export function accountConsentRead(
  made: AccountConsent,
  { links }: Pick<Xs2aPorts, "links">,
): Answer {
  const chosen = made.grantedAccounts.length > 0;
  const value = {
    access: chosen ? resolved(made.grantedAccounts) : made.requestedAccess,
    recurringIndicator: made.recurringIndicator,
    validUntil: made.validUntil,
    frequencyPerDay: made.frequencyPerDay,
    lastActionDate: made.lastActionDate,
    consentStatus: made.status,
    ...(made.status === "valid" ? { _links: { account: { href: `${links.aisp}/accounts` } } } : {}),
  };
  return { status: 200, body: { schema: consent, value } };
}

export function consentStatusRead({ status }: AccountConsent): Answer {
  const schema = z.strictObject({ consentStatus });
  return { status: 200, body: { schema, value: { consentStatus: status } } };
}

export function authorisationsRead({
  authorisationId,
}: Pick<AccountConsent, "authorisationId">): Answer {
  const schema = z.strictObject({ authorisationIds: z.array(z.uuid()) });
  return { status: 200, body: { schema, value: { authorisationIds: [authorisationId] } } };
}

export function authorisationRead(found: Authorisation): Answer {
  const schema = z.strictObject({ scaStatus });
  return { status: 200, body: { schema, value: { scaStatus: found.scaStatus } } };
}

/** What was ended needs no words. */
export function deleted(): Answer {
  return { status: 204 };
}

function resolved(granted: readonly GrantedAccount[]) {
  const having = (right: keyof AccessRights) =>
    granted.filter(({ rights }) => rights[right]).map(reference);
  const [balances, transactions, ownerName] = [
    having("balances"),
    having("transactions"),
    having("ownerName"),
  ];
  return {
    accounts: granted.map(reference),
    ...(balances.length > 0 ? { balances } : {}),
    ...(transactions.length > 0 ? { transactions } : {}),
    ...(ownerName.length > 0 ? { additionalInformation: { ownerName } } : {}),
  };
}

function reference({ iban, currency }: GrantedAccount) {
  return { iban, currency };
}

function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}
