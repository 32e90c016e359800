import type { Permission } from "@/lib/domain/permissions/permission";
import type { ReadPosition } from "@/lib/domain/permissions/permission-records";
import { isInForce } from "@/lib/domain/permissions/permission-state";
import {
  findPermission,
  type History,
  listPermissions,
  readHistory,
} from "@/lib/domain/permissions/read-permissions";
import { mayBeRevoked } from "@/lib/domain/permissions/revoke-permission";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { permissionOnPage } from "../names-on-pages";
import { ownFormToken } from "./form-token";
import { type OwnFrame, ownFrameOf } from "./frame";
import { type OwnOutcome, readOwnOutcome, type SayingPage } from "./outcome";
import { type PermissionAddress, permissionPath, permissionTarget } from "./permission-path";
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

export type Onward = { readonly page: "onward"; readonly location: string };

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
    inForce: byTpp(permissions.filter(({ state }) => isInForce(state))),
    past: byTpp(permissions.filter(({ state }) => !isInForce(state))),
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
