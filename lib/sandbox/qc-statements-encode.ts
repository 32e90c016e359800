import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { objectId, sequence, utf8 } from "./der";

/** Statements of ETSI EN 319 412-5 and TS 119 495, each as DER; a certificate holds a list of them. */

const roleIds = {
  PSP_AS: "0.4.0.19495.1.1",
  PSP_PI: "0.4.0.19495.1.2",
  PSP_AI: "0.4.0.19495.1.3",
  PSP_IC: "0.4.0.19495.1.4",
} as const satisfies Record<Psd2Role, string>;

const qcTypes = {
  esign: "0.4.0.1862.1.6.1",
  eseal: "0.4.0.1862.1.6.2",
  web: "0.4.0.1862.1.6.3",
} as const;

/** A role as it is written: its identifier and the name beside it. */
export type WrittenRole = { readonly id: string; readonly name: string };

export function writtenRole(role: Psd2Role): WrittenRole {
  return { id: roleIds[role], name: role };
}

export function qcCompliance(): Uint8Array {
  return sequence(objectId("0.4.0.1862.1.1"));
}

export function qcType(...types: readonly (keyof typeof qcTypes)[]): Uint8Array {
  const ids = types.map((type) => objectId(qcTypes[type]));
  return sequence(objectId("0.4.0.1862.1.6"), sequence(...ids));
}

export function psd2Statement(
  roles: readonly WrittenRole[],
  authorityName: string,
  authorityId: string,
): Uint8Array {
  const written = roles.map(({ id, name }) => sequence(objectId(id), utf8(name)));
  const info = sequence(sequence(...written), utf8(authorityName), utf8(authorityId));
  return sequence(objectId("0.4.0.19495.2"), info);
}
