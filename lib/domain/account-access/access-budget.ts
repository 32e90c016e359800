import type { ConsentId } from "../identifiers";

/** The unattended accesses of a consent; RTS art. 36(5)(b). */
export type AccessBudget = {
  /**
   * Counts one access in the rolling window, in one statement. Refused when `limit` are in it:
   * `retryAt` is when the oldest of them falls out.
   */
  readonly admitUnattended: (access: UnattendedAccess) => Promise<Admission>;
};

export type UnattendedAccess = {
  readonly consentId: ConsentId;
  /** Endpoint and account, e.g. `balances:3f…`: each has its own count. */
  readonly resource: string;
  readonly limit: number;
  readonly windowHours: number;
  readonly now: Date;
};

export type Admission =
  | { readonly admitted: true; readonly left: number }
  | { readonly admitted: false; readonly retryAt: Date };
