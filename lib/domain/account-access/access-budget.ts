import type { ConsentId } from "../identifiers";

/** The unattended accesses of a consent; RTS art. 36(5)(b). */
export type AccessBudget = {
  /** Counts one access in the rolling window, in one statement; refused when `limit` are in it. */
  readonly admitUnattended: (access: UnattendedAccess) => Promise<Admission>;
  /** What the window holds now; counts nothing. */
  readonly unattendedLeft: (access: UnattendedAccess) => Promise<Budget>;
};

export type UnattendedAccess = {
  readonly consentId: ConsentId;
  /** Endpoint and account, e.g. `balances:3f…`: each has its own count. */
  readonly resource: string;
  readonly limit: number;
  readonly windowHours: number;
  readonly now: Date;
};

/** `resetAt` is when the oldest access in the window falls out of it, so that one more is left. */
export type Budget = { readonly left: number; readonly resetAt: Date };

export type Admission = Budget & { readonly admitted: boolean };
