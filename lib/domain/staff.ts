import type { SessionLimits } from "./sign-in";

/** What the bank's people may do, by their roles: a table, which docs/staff.md shows and the console follows. */
const allowed = {
  "see-statistics": ["viewer", "support", "approver", "auditor"],
  "see-tpps": ["viewer", "support", "approver", "auditor"],
  search: ["support", "approver", "auditor"],
  "see-customer": ["support", "approver", "auditor"],
  "end-permission": ["support", "approver"],
  "unlock-customer": ["support", "approver"],
  "request-block": ["support", "approver"],
  "approve-block": ["approver"],
  "see-events": ["auditor"],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

export const staffRoles = ["viewer", "support", "approver", "auditor"] as const;
export type StaffRole = (typeof staffRoles)[number];
export type StaffAction = keyof typeof allowed;
export const staffActions = Object.keys(allowed) as readonly StaffAction[];

export function mayDo(roles: readonly StaffRole[], action: StaffAction): boolean {
  const those: readonly StaffRole[] = allowed[action];
  return roles.some((role) => those.includes(role));
}

/** Somebody of the bank's staff; `id` is what events name as the actor, and never anybody else's. */
export type Operator = {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
};

/** Sessions of the staff console. A browser's cookie only points at one; only the SHA-256 of its id is kept. */
export type StaffSessions = {
  /** Records the sign-in as an event. */
  readonly open: (idHash: string, operator: Operator, now: Date) => Promise<void>;
  /** Counts as activity. Undefined when the session was ended, or a limit is passed. */
  readonly touch: (
    idHash: string,
    limits: SessionLimits,
    now: Date,
  ) => Promise<Operator | undefined>;
  readonly end: (idHash: string, now: Date) => Promise<void>;
};
