import { findPermission } from "@/lib/domain/permissions";
import type { PsuId } from "@/lib/domain/values";
import type { BankApiPorts } from "./endpoint";
import { BankApiProblem } from "./problems";

type Asked = {
  readonly customerId: PsuId;
  readonly kind: "accounts" | "funds";
  readonly permissionId: string;
};

/** The customer's permission. Rejects with `not-found`, also of another customer's. */
export async function findConsent(ports: BankApiPorts, asked: Asked, now: Date) {
  const { customerId: psuId, kind, permissionId: id } = asked;
  const found = await findPermission(ports, { psuId, kind, id: id.toLowerCase(), now });
  if (found === undefined || found.kind === "payments") {
    throw new BankApiProblem("not-found", "the customer has no such permission");
  }
  return found;
}
