import type { AccessRights } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { type AccountConsent, endOfConsent, unite } from "@/lib/domain/consents";
import type { FundsConsent } from "@/lib/domain/funds";
import {
  findPermission,
  isPermissionInForce,
  listPermissions,
  mayBeRevoked,
  type Permission,
  type PermissionPosition,
  type ReadPosition,
  readHistory,
} from "@/lib/domain/permissions";
import type { Tpp } from "@/lib/domain/tpp";
import { addTime } from "@/lib/domain/values";
import { ownFormToken } from "./form-token";
import { ownFrameOf } from "./frame";
import { readOutcome } from "./outcome";
import { type PermissionAddress, permissionPath } from "./paths";
import type { Texts } from "./texts/en";
import { permissionOnPage } from "./texts/formats";
import type { SignedInVisit } from "./visit";

export type OfTpp = { readonly tpp: Tpp; readonly permissions: readonly Permission[] };
export type PermissionsView = Awaited<ReturnType<typeof permissionsView>>;
export type PermissionView = NonNullable<Awaited<ReturnType<typeof permissionView>>>;
export type RevokeView = Extract<
  Awaited<ReturnType<typeof revokeView>>,
  { readonly page: "revoke" }
>;

/** `asked` is where the page begins, as the address has it; anything else is followed by nothing. */
export async function permissionsView(visit: SignedInVisit, asked: unknown) {
  const { services, session, language, now } = visit;
  const { permissionsPerPage: limit, pastShownDays } = services.profile.ownChannel;
  const after = typeof asked === "string" ? (asked as PermissionPosition) : undefined;
  const { psuId } = session.signIn;
  const filter = { since: addTime(now, -pastShownDays, "day") };
  const found = await listPermissions(services, { psuId, filter, after, limit, now });
  const permissions = found.permissions.map((one) => permissionOnPage(one, language));
  return {
    ...(await ownFrameOf(visit)),
    page: "permissions" as const,
    after,
    next: found.next,
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
) {
  const permission = await permissionAt(visit, address);
  if (permission === undefined) return undefined;
  const { services } = visit;
  const after = typeof asked === "string" ? (asked as ReadPosition) : undefined;
  const page = {
    limit: services.profile.ownChannel.readsPerPage,
    ...(after !== undefined && { after }),
  };
  return {
    ...(await ownFrameOf(visit)),
    page: "permission" as const,
    permission,
    history: await readHistory(services, permission, page),
    /** The history is not from its beginning. */
    older: after !== undefined,
    outcome: await readOutcome(visit, permissionPath(address), "permission"),
    mayBeRevoked: mayBeRevoked(permission),
  };
}

/** Where there is nothing left to revoke, its page says why. */
export async function revokeView(visit: SignedInVisit, address: PermissionAddress) {
  const permission = await permissionAt(visit, address);
  if (permission === undefined) return undefined;
  if (!mayBeRevoked(permission)) {
    return { page: "onward" as const, location: permissionPath(address) };
  }
  const { services, session } = visit;
  const target = `${address.kind}/${address.id}`;
  const secret = services.config.SESSION_SECRET;
  return {
    ...(await ownFrameOf(visit)),
    page: "revoke" as const,
    permission,
    outcome: await readOutcome(visit, `${permissionPath(address)}/revoke`, "revoke"),
    token: await ownFormToken({ secret, action: "revoke", target, session }),
  };
}

async function permissionAt(visit: SignedInVisit, address: PermissionAddress) {
  const { services, session, language, now } = visit;
  const found = await findPermission(services, { ...address, psuId: session.signIn.psuId, now });
  return found && permissionOnPage(found, language);
}

/** What there is to say of a permission or payment, in the PSU's words; the same on page and in file. */
type PermissionFacts = Readonly<Record<"kind" | "status" | "requested", string>> &
  Readonly<Partial<Record<keyof Texts["permissions"]["labels"], string>>>;

type Where = { readonly texts: Texts; readonly profile: AspspProfile };

export function permissionFacts(where: Where, permission: Permission): PermissionFacts {
  const { texts, profile } = where;
  const { permissions: words } = texts;
  const at = (instant: Date) => texts.instant(instant, profile.timeZone);
  const { kind, state, requestedAt, endedAt, lastReadAt } = permission;
  const common = {
    kind: words.kinds[kind],
    status: words.states[state],
    requested: at(requestedAt),
    ...(endedAt !== undefined && { ended: at(endedAt) }),
  };
  if (kind === "payments") return { ...common, ...paymentFacts(texts, permission.payment.order) };
  const { authorisedAt } = permission.consent;
  const { until, ...facts } =
    kind === "accounts" ? accountFacts(where, permission) : fundsFacts(texts, permission.consent);
  return {
    ...common,
    ...facts,
    ...(authorisedAt !== undefined && { since: at(authorisedAt) }),
    ...(state === "active" && { until }),
    lastRead: lastReadAt === undefined ? words.neverRead : at(lastReadAt),
  };
}

type OfAccounts = Extract<Permission, { readonly kind: "accounts" }>;

function accountFacts({ texts, profile }: Where, { consent, tpp }: OfAccounts) {
  const { quoted, summary } = texts;
  const { authorisedAt, createdAt } = consent;
  const end = endOfConsent(consent, authorisedAt ?? createdAt, profile);
  const name = quoted(tpp.name);
  return {
    data: summary.dataIn(rightsOf(consent)),
    ...(consent.recurringIndicator
      ? {
          howOften: summary.perDay(name, consent.frequencyPerDay),
          until: texts.day(consent.validUntil),
        }
      : { howOften: summary.oneOff(name), until: texts.instant(end, profile.timeZone) }),
  };
}

/** What was shared; of what never was, what was asked for. */
export function rightsOf({ grantedAccounts, access }: AccountConsent): AccessRights {
  const granted = grantedAccounts.map(({ rights }) => rights);
  return granted.length === 0 ? access.rights : granted.reduce(unite);
}

function fundsFacts({ day, permissions: words }: Texts, { cardExpiryDate }: FundsConsent) {
  return {
    data: words.fundsData,
    howOften: words.fundsOften,
    until: cardExpiryDate === undefined ? words.untilEnded : day(cardExpiryDate),
  };
}

type Order = Extract<Permission, { readonly kind: "payments" }>["payment"]["order"];

function paymentFacts({ quoted, money }: Texts, { amount, creditor, remittance }: Order) {
  return {
    amount: money(amount),
    payee: `${quoted(creditor.name)}, ${creditor.iban}`,
    ...(remittance !== undefined && { message: remittance }),
  };
}
