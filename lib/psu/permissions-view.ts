import * as z from "zod";
import type { AccessRights } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { type AccountConsent, endOfConsent, unite } from "@/lib/domain/consents";
import { type FundsConsent, lastDayOfCard } from "@/lib/domain/funds";
import {
  findPermission,
  listPermissions,
  listPermissionsByTpp,
  mayBeRevoked,
  type Permission,
  type PermissionFilter,
  type PermissionPosition,
  permissionKinds,
  type ReadPosition,
  readHistory,
  type TppPosition,
} from "@/lib/domain/permissions";
import { addTime, type TppId } from "@/lib/domain/values";
import { ownFormToken } from "./form-token";
import { ownFrameOf } from "./frame";
import { readOutcome } from "./outcome";
import { type PermissionAddress, type PermissionSearch, permissionPath } from "./paths";
import type { PsuServices } from "./ports";
import type { Texts } from "./texts/en";
import { permissionOnPage, tppOnPage } from "./texts/formats";
import { textsFor } from "./texts/texts-for";
import type { SignedInVisit } from "./visit";

export type PermissionsView = Awaited<ReturnType<typeof permissionsView>>;
export type OfTpp = PermissionsView["tpps"][number];
export type PermissionView = NonNullable<Awaited<ReturnType<typeof permissionView>>>;
export type RevokeView = Extract<
  Awaited<ReturnType<typeof revokeView>>,
  { readonly page: "revoke" }
>;

/** No name or id has control characters, and PostgreSQL takes no NUL. */
export const lineOfText = z
  .string()
  .max(160)
  .regex(/^\P{Cc}*$/u);
const one = lineOfText.optional().catch(undefined);
/** What an address can ask for; anything else is not asked. */
const searched = z.object({
  text: one.transform((text) => text?.trim() || undefined),
  kind: z.enum(permissionKinds).optional().catch(undefined),
  state: z.enum(["past", "all"]).optional().catch(undefined),
  tpp: one,
  after: one,
});

/** By TPP, of each the newest; or all of one TPP. */
export async function permissionsView(visit: SignedInVisit, query: object) {
  const { services, session, language, now } = visit;
  const search: PermissionSearch = searched.parse(query);
  const filter = filterOf(services.profile, search, now);
  const asked = { psuId: session.signIn.psuId, filter, now };
  const found = await (search.tpp === undefined ? everyTpp : oneTpp)(services, asked, search.after);
  return {
    ...(await ownFrameOf(visit)),
    page: "permissions" as const,
    profile: services.profile,
    notices: search.after === undefined ? await noticesOf(visit) : [],
    search,
    next: found.next,
    tpps: found.tpps.map(({ tpp, count, newest }) => ({
      tpp: tppOnPage(tpp, language),
      count,
      permissions: newest.map((permission) => permissionOnPage(permission, language)),
    })),
  };
}

/** What the bank has to tell of TPPs that it has blocked, or let in again (PSD2 art. 68(5)). */
async function noticesOf({ services, session, language, now }: SignedInVisit) {
  const { quoted, instant, permissions } = textsFor(language);
  const { block, unblock, reasons } = permissions.notices;
  const at = (when: Date) => instant(when, services.profile.timeZone);
  const notices = await services.tppBlocks.noticesFor(session.signIn.psuId, now);
  return notices.map(({ action, basis, tpp, at: since, until }) => {
    const name = quoted(tppOnPage(tpp, language).name);
    return action === "block"
      ? block(name, reasons[basis], at(since), until && at(until))
      : unblock(name, at(since));
  });
}

/** What has ended long ago is not listed. */
function filterOf(
  { ownChannel }: AspspProfile,
  { text, kind, state, tpp }: PermissionSearch,
  now: Date,
): PermissionFilter {
  return {
    since: addTime(now, -ownChannel.pastShownDays, "day"),
    ...(state === "all" ? {} : { inForce: state === undefined }),
    text,
    kind,
    tppId: tpp as TppId | undefined,
  };
}

type Asked = Omit<Parameters<typeof listPermissions>[1], "after" | "limit">;

function everyTpp(services: PsuServices, asked: Asked, after: string | undefined) {
  const { tppsPerPage: limit, newestOfTppMax: newestMax } = services.profile.ownChannel;
  const page = { after: after as TppPosition | undefined, limit, newestMax };
  return listPermissionsByTpp(services, { ...asked, ...page });
}

async function oneTpp(services: PsuServices, asked: Asked, after: string | undefined) {
  const { permissionsPerPage: limit } = services.profile.ownChannel;
  const page = { after: after as PermissionPosition | undefined, limit };
  const { permissions, next } = await listPermissions(services, { ...asked, ...page });
  const [first] = permissions;
  const tpps =
    first === undefined ? [] : [{ tpp: first.tpp, count: permissions.length, newest: permissions }];
  return { tpps, next };
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
    profile: services.profile,
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
  return {
    ...(await ownFrameOf(visit)),
    page: "revoke" as const,
    profile: visit.services.profile,
    permission,
    outcome: await readOutcome(visit, `${permissionPath(address)}/revoke`, "revoke"),
    token: await ownFormToken(visit, "revoke", `${address.kind}/${address.id}`),
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
  const { tpp } = permission;
  const registeredFor = tpp.roles.map((role) => words.roles[role]).join(", ");
  const asked = {
    // All of its QWACs may have been revoked.
    ...(registeredFor !== "" && { registeredFor }),
    purpose: words.purposes[purposeOf(permission)](texts.quoted(tpp.name)),
  };
  if (kind === "payments") {
    return { ...common, ...asked, ...paymentFacts(texts, permission.payment.order) };
  }
  const { authorisedAt } = permission.consent;
  const { until, ...facts } =
    kind === "accounts" ? accountFacts(where, permission) : fundsFacts(texts, permission.consent);
  return {
    ...common,
    ...asked,
    ...facts,
    ...(authorisedAt !== undefined && { since: at(authorisedAt) }),
    ...(state === "active" && { until }),
    lastRead: lastReadAt === undefined ? words.neverRead : at(lastReadAt),
  };
}

/** The standard has no field for what a TPP wants the data for: its service says it, and the consent itself. */
function purposeOf(permission: Permission) {
  if (permission.kind !== "accounts") return permission.kind;
  return permission.consent.recurringIndicator ? "accounts" : "accountsOnce";
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

function fundsFacts({ day, permissions: words }: Texts, consent: FundsConsent) {
  const { cardInformation: card, registrationInformation: reason } = consent;
  const lastDay = lastDayOfCard(consent);
  return {
    ...(card !== undefined && { card }),
    ...(reason !== undefined && { reason }),
    data: words.fundsData,
    howOften: words.fundsOften,
    until: lastDay === undefined ? words.untilEnded : day(lastDay),
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
