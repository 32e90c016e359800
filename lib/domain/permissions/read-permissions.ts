import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import {
  type Permission,
  type PermissionPorts,
  permissionsOf,
  type SharedAccount,
} from "./permission";
import type { LoggedRead, PermissionKind, ReadPosition, Span } from "./permission-records";

type RecordPorts = PermissionPorts & Pick<Ports, "permissionRecords">;

/** The PSU's permissions and payments, and whether there are more after them. */
export type PermissionList = {
  readonly permissions: readonly Permission[];
  readonly more: boolean;
};

export async function listPermissions(
  ports: RecordPorts,
  { psuId, span, now }: { readonly psuId: PsuId; readonly span: Span; readonly now: Date },
): Promise<PermissionList> {
  const one = { offset: span.offset, limit: span.limit + 1 };
  const records = await ports.permissionRecords.of(psuId, one);
  const permissions = await permissionsOf(ports, records.slice(0, span.limit), now);
  return { permissions, more: records.length > span.limit };
}

export type PermissionAsked = {
  readonly psuId: PsuId;
  readonly kind: PermissionKind;
  readonly id: string;
  readonly now: Date;
};

/** Undefined for an unknown one and for another PSU's. */
export async function findPermission(
  ports: RecordPorts,
  { psuId, kind, id, now }: PermissionAsked,
): Promise<Permission | undefined> {
  const record = await ports.permissionRecords.find(psuId, kind, id);
  if (record === undefined) return undefined;
  const [permission] = await permissionsOf(ports, [record], now);
  return permission;
}

/** A line of the access history, with the account as the PSU knows it. */
export type HistoryLine = LoggedRead & { readonly account?: SharedAccount };

export type History = {
  readonly lines: readonly HistoryLine[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: ReadPosition;
};

/** When the TPP read what by this permission, newest first. A payment reads nothing. */
export async function readHistory(
  { permissionRecords }: Pick<Ports, "permissionRecords">,
  permission: Permission,
  { after, limit }: { readonly after?: ReadPosition; readonly limit: number },
): Promise<History> {
  if (permission.kind === "payments") return { lines: [] };
  const page = { limit: limit + 1, ...(after !== undefined && { after }) };
  const reads = await permissionRecords.readsOf(permission.consent.id, page);
  const lines = reads.slice(0, limit).map((read) => {
    const account = permission.accounts.find(({ id }) => id !== undefined && id === read.accountId);
    return account === undefined ? read : { ...read, account };
  });
  const last = lines.at(-1);
  return { lines, ...(reads.length > limit && last && { next: last.position }) };
}
