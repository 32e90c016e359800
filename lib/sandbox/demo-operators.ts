import type { Operator } from "@/lib/domain/staff";

/** Everybody may know these passwords, PSUs' and operators'. */
export const demoPasswordOf = (userId: string): string => `${userId}-sandbox`;

/** The demo bank's staff. What one of the two asks for, the other may approve. */
export const demoOperators = [
  { id: "ioana", name: "Ioana Dumitru", roles: ["approver"] },
  { id: "radu", name: "Radu Munteanu", roles: ["approver", "auditor"] },
] as const satisfies readonly Operator[];

/** Of a sandbox that names no provider for its staff. */
export function findDemoOperator(id: string, password: string): Operator | undefined {
  return demoOperators.find((one) => one.id === id && demoPasswordOf(id) === password);
}
