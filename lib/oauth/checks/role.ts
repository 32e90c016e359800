import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp/tpp";
import { AuthorisationFault } from "../faults";

const roleFor = { AIS: "PSP_AI", PIIS: "PSP_IC", PIS: "PSP_PI" } as const satisfies Record<
  ResourceKind,
  Psd2Role
>;

/** The role may have gone with a later certificate than the one that created the resource. */
export function checkRole(tpp: Tpp, kind: ResourceKind): void {
  if (!tpp.roles.includes(roleFor[kind])) {
    throw new AuthorisationFault("invalid_scope", `this scope needs the role ${roleFor[kind]}`);
  }
}
