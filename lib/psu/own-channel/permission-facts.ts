import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { endOfConsent } from "@/lib/domain/consent/validity-period";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { Permission } from "@/lib/domain/permissions/permission";
import { unite } from "@/lib/domain/sca/offer-accounts";
import type { Texts } from "../texts/texts";

/** What there is to say of a permission or payment, in the PSU's words; the same on page and in file. */
export type PermissionFacts = {
  readonly kind: string;
  readonly status: string;
  readonly data?: string;
  readonly requested: string;
  readonly since?: string;
  readonly until?: string;
  readonly ended?: string;
  readonly howOften?: string;
  readonly lastRead?: string;
  readonly amount?: string;
  readonly payee?: string;
  readonly message?: string;
};

type Where = { readonly texts: Texts; readonly profile: AspspProfile };

export function permissionFacts(where: Where, permission: Permission): PermissionFacts {
  const { texts, profile } = where;
  const { permissions: words } = texts;
  const at = (instant: Date) => words.instant(instant, profile.timeZone);
  const { kind, state, requestedAt, endedAt, lastReadAt } = permission;
  const common = {
    kind: words.kinds[kind],
    status: words.states[state],
    requested: at(requestedAt),
    ...(endedAt !== undefined && { ended: at(endedAt) }),
  };
  if (kind === "payments") return { ...common, ...paymentFacts(texts, permission.payment.order) };
  const { authorisedAt } = permission.consent;
  const inForce = state === "active";
  const until =
    kind === "accounts"
      ? untilOf(where, permission.consent)
      : fundsUntil(texts, permission.consent);
  return {
    ...common,
    ...(kind === "accounts" ? accountFacts(texts, permission) : fundsFacts(texts)),
    ...(authorisedAt !== undefined && { since: at(authorisedAt) }),
    ...(inForce && { until }),
    lastRead: lastReadAt === undefined ? words.neverRead : at(lastReadAt),
  };
}

type OfAccounts = Extract<Permission, { readonly kind: "accounts" }>;

function accountFacts({ quoted, summary }: Texts, { consent, tpp }: OfAccounts) {
  const { recurringIndicator, frequencyPerDay } = consent;
  return {
    data: summary.dataIn(rightsOf(consent)),
    howOften: recurringIndicator
      ? summary.perDay(quoted(tpp.name), frequencyPerDay)
      : summary.oneOff(quoted(tpp.name)),
  };
}

/** What was shared; of what never was, what was asked for. */
export function rightsOf({ grantedAccounts, access }: AccountConsent): AccessRights {
  const granted = grantedAccounts.map(({ rights }) => rights);
  return granted.length === 0 ? access.rights : granted.reduce(unite);
}

function untilOf({ texts, profile }: Where, consent: AccountConsent): string {
  const { recurringIndicator, validUntil, authorisedAt, createdAt } = consent;
  if (recurringIndicator) return texts.summary.untilDay(validUntil);
  const end = endOfConsent(consent, authorisedAt ?? createdAt, profile);
  return texts.permissions.instant(end, profile.timeZone);
}

function fundsFacts({ permissions: words }: Texts) {
  return { data: words.fundsData, howOften: words.fundsOften };
}

function fundsUntil({ permissions: words }: Texts, { cardExpiryDate }: FundsConsent): string {
  return cardExpiryDate === undefined ? words.untilEnded : words.day(cardExpiryDate);
}

type Order = Extract<Permission, { readonly kind: "payments" }>["payment"]["order"];

function paymentFacts(
  { quoted, permissions: words }: Texts,
  { amount, creditor, remittance }: Order,
) {
  return {
    amount: words.money(amount),
    payee: `${quoted(creditor.name)}, ${creditor.iban}`,
    ...(remittance !== undefined && { message: remittance }),
  };
}
