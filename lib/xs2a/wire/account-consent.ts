import { z } from "zod";
import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { AccountConsent, GrantedAccount } from "@/lib/domain/consent/account-consent";
import { consentTransitions } from "@/lib/domain/consent/consent-status";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { scaTransitions } from "@/lib/domain/sca/sca-status";
import { answering, headersOfCreation } from "../answers";
import type { Xs2aPorts } from "../ports";
import { warningSent } from "../refusal-forms";
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
  tppMessages: z.array(warningSent).optional(),
});

const references = z.array(accountReferenceSent);
const resolvedAccess = z
  .strictObject({
    accounts: references,
    balances: references.optional(),
    transactions: references.optional(),
    additionalInformation: z.strictObject({ ownerName: references }).optional(),
  })
  .describe("The access as the PSU has granted it.");

const asSent = z
  .record(z.string(), z.unknown().describe("As it was sent."))
  .describe("The access as it was asked for, until the PSU has chosen.");

const consent = z.strictObject({
  access: z.union([resolvedAccess, asSent]),
  recurringIndicator: z.boolean(),
  validUntil: day,
  frequencyPerDay: z.int().min(1),
  lastActionDate: day,
  consentStatus,
  _links: z.strictObject({ account: link }).optional(),
});

type Links = Pick<Xs2aPorts, "links">;
type Created = { readonly consent: AccountConsent; readonly shortened: boolean };

export const accountConsentCreated = answering(
  {
    status: 201,
    description: "The consent is there, and waits for the PSU to authorise it.",
    headers: headersOfCreation,
    body: created,
  },
  ({ consent: made, shortened }: Created, { links }: Links) => {
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
    };
    const told = shortened ? { ...value, ...warning(remark, "validUntil") } : value;
    return { headers: { location: self, "aspsp-sca-approach": "REDIRECT" }, value: told };
  },
);

/** The consent as it is now: the access as it was asked for until the PSU has chosen, then as it was chosen. */
export const accountConsentRead = answering(
  { status: 200, description: "The consent as it is now.", body: consent },
  (made: AccountConsent, { links }: Links) => {
    const chosen = made.grantedAccounts.length > 0;
    const account = { href: `${links.aisp}/accounts` };
    const value = {
      access: chosen ? resolved(made.grantedAccounts) : made.requestedAccess,
      recurringIndicator: made.recurringIndicator,
      validUntil: made.validUntil,
      frequencyPerDay: made.frequencyPerDay,
      lastActionDate: made.lastActionDate,
      consentStatus: made.status,
      ...(made.status === "valid" ? { _links: { account } } : {}),
    };
    return { value };
  },
);

export const consentStatusRead = answering(
  {
    status: 200,
    description: "Where the consent stands.",
    body: z.strictObject({ consentStatus }),
  },
  ({ status }: AccountConsent) => ({ value: { consentStatus: status } }),
);

export const authorisationsRead = answering(
  {
    status: 200,
    description: "The one authorisation there is.",
    body: z.strictObject({ authorisationIds: z.array(z.uuid()) }),
  },
  ({ authorisationId }: Pick<AccountConsent, "authorisationId">) => ({
    value: { authorisationIds: [authorisationId] },
  }),
);

export const authorisationRead = answering(
  {
    status: 200,
    description: "Where the authorisation stands.",
    body: z.strictObject({ scaStatus }),
  },
  (found: Authorisation) => ({ value: { scaStatus: found.scaStatus } }),
);

/** What was ended needs no words. */
export const deleted = answering({ status: 204, description: "It is ended." }, () => ({}));

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
