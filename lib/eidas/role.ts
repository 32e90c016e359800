import { reject } from "@/lib/domain/rejection";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp/tpp";

/** PSD2 art. 66, 67 and 65: a service is open to the role that the competent authority gave. Rejects with 401 ROLE_INVALID. */
export function checkRole(tpp: Tpp, role: Psd2Role): void {
  if (tpp.roles.includes(role)) return;
  throw reject("ROLE_INVALID", `the certificate lacks ${role}; it has ${tpp.roles.join(", ")}`);
}
