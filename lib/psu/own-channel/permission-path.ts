import { isUuid } from "@/lib/domain/identifiers";
import { type PermissionKind, permissionKinds } from "@/lib/domain/permissions/permission-records";

/** Which one, as its address says. */
export type PermissionAddress = { readonly kind: PermissionKind; readonly id: string };

export function permissionPath({ kind, id }: PermissionAddress): string {
  return `/permissions/${kind}/${id}`;
}

/** `accounts/3f…`, as a form's token is bound to it. */
export function permissionTarget({ kind, id }: PermissionAddress): string {
  return `${kind}/${id}`;
}

/** Undefined for what can be the address of none. */
export function permissionAsked(target: string | undefined): PermissionAddress | undefined {
  const [first, id, ...more] = target?.split("/") ?? [];
  const kind = permissionKinds.find((known) => known === first);
  if (kind === undefined || id === undefined || !isUuid(id) || more.length > 0) return undefined;
  return { kind, id };
}
