import type { Operator } from "@/lib/domain/staff";
import { demoPasswordOf } from "./demo-bank-people";

/** The demo bank's staff. What one of the two asks for, the other may approve. */
export const demoOperators = [
  { id: "ioana", name: "Ioana Dumitru", roles: ["approver"] },
  { id: "radu", name: "Radu Munteanu", roles: ["approver", "auditor"] },
] as const satisfies readonly Operator[];

/** Everybody may know these passwords: of a sandbox that names no provider for its staff. */
export function findDemoOperator(id: string, password: string): Operator | undefined {
  return demoOperators.find((one) => one.id === id && demoPasswordOf(id) === password);
}
