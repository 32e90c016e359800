import type { AccessRights } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { type AccountConsent, endOfConsent, unite } from "@/lib/domain/consents";
import type { FundsConsent } from "@/lib/domain/funds";
import {
  findPermission,
  type History,
  isPermissionInForce,
  listPermissions,
  mayBeRevoked,
  type Permission,
  type ReadPosition,
  readHistory,
} from "@/lib/domain/permissions";
import type { Tpp } from "@/lib/domain/tpp";
import { ownFormToken } from "./form-token";
import { type OwnFrame, ownFrameOf } from "./frame";
import { type OwnOutcome, readOwnOutcome, type SayingPage } from "./outcome";
import { type PermissionAddress, permissionPath, permissionTarget } from "./paths";
import { permissionOnPage } from "./texts/formats";
import type { Texts } from "./texts/types";
import type { SignedInVisit } from "./visit";

export type OfTpp = { readonly tpp: Tpp; readonly permissions: readonly Permission[] };

export type PermissionsView = OwnFrame & {
  readonly page: "permissions";
  readonly number: number;
  readonly more: boolean;
  readonly inForce: readonly OfTpp[];
  readonly past: readonly OfTpp[];
};

export type PermissionView = OwnFrame & {
  readonly page: "permission";
  readonly permission: Permission;
  readonly history: History;
  /** The history is not from its beginning. */
  readonly older: boolean;
  readonly outcome: OwnOutcome | undefined;
  readonly mayBeRevoked: boolean;
};

export type RevokeView = OwnFrame & {
  readonly page: "revoke";
  readonly permission: Permission;
  readonly outcome: OwnOutcome | undefined;
  readonly token: string;
};

type Onward = { readonly page: "onward"; readonly location: string };

/** `asked` is the page's number as the address has it; anything else is the first. */
export async function permissionsView(
  visit: SignedInVisit,
  asked: unknown,
): Promise<PermissionsView> {
  const { house, session, language, now } = visit;
  const { permissionsPerPage: limit } = house.profile.ownChannel;
  const number = typeof asked === "string" && /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 1;
  const span = { offset: (number - 1) * limit, limit };
  const { psuId } = session.signIn;
  const found = await listPermissions(house, { psuId, span, now });
  const permissions = found.permissions.map((one) => permissionOnPage(one, language));
  return {
    ...(await ownFrameOf(visit)),
    page: "permissions",
    number,
    more: found.more,
    inForce: byTpp(permissions.filter(({ state }) => isPermissionInForce(state))),
    past: byTpp(permissions.filter(({ state }) => !isPermissionInForce(state))),
  };
}

/** In the order in which they come. */
function byTpp(permissions: readonly Permission[]): readonly OfTpp[] {
  const groups = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const group = groups.get(permission.tpp.id);
    if (group === undefined) groups.set(permission.tpp.id, [permission]);
    else group.push(permission);
  }
  return [...groups.values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ tpp: group[0].tpp, permissions: group }],
  );
}

/** Undefined for an unknown one and for another PSU's. */
export async function permissionView(
  visit: SignedInVisit,
  address: PermissionAddress,
  asked: unknown,
): Promise<PermissionView | undefined> {
  const permission = await permissionAt(visit, address);
  if (permission === undefined) return undefined;
  const { house } = visit;
  const after = typeof asked === "string" ? (asked as ReadPosition) : undefined;
  const page = {
    limit: house.profile.ownChannel.readsPerPage,
    ...(after !== undefined && { after }),
  };
  return {
    ...(await ownFrameOf(visit)),
    page: "permission",
    permission,
    history: await readHistory(house, permission, page),
    older: after !== undefined,
    outcome: await outcomeFor(visit, permissionPath(address), "permission"),
    mayBeRevoked: mayBeRevoked(permission),
  };
}

/** Where there is nothing left to revoke, its page says why. */
export async function revokeView(
  visit: SignedInVisit,
  address: PermissionAddress,
): Promise<RevokeView | Onward | undefined> {
  const permission = await permissionAt(visit, address);
  if (permission === undefined) return undefined;
  if (!mayBeRevoked(permission)) return { page: "onward", location: permissionPath(address) };
  const { house, session } = visit;
  const target = permissionTarget(address);
  const secret = house.config.SESSION_SECRET;
  return {
    ...(await ownFrameOf(visit)),
    page: "revoke",
    permission,
    outcome: await outcomeFor(visit, `${permissionPath(address)}/revoke`, "revoke"),
    token: await ownFormToken({ secret, action: "revoke", target, session }),
  };
}

async function permissionAt(visit: SignedInVisit, address: PermissionAddress) {
  const { house, session, language, now } = visit;
  const found = await findPermission(house, { ...address, psuId: session.signIn.psuId, now });
  return found && permissionOnPage(found, language);
}

function outcomeFor(
  { house: { config }, cookieHeader }: SignedInVisit,
  path: string,
  page: SayingPage,
) {
  return readOwnOutcome({ path, config }, cookieHeader, page);
}

/** What there is to say of a permission or payment, in the PSU's words; the same on page and in file. */
type PermissionFacts = {
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
