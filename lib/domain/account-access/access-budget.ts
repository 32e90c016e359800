import type { ServedRead } from "../access-log/access-log";

/**
 * The unattended accesses of a consent (RTS art. 36(5)(b)), and with each the line of the access log:
 * what is admitted is logged in the same statement, what is refused is not.
 */
export type AccessBudget = {
  /** Counts one access in the rolling window, in one statement; refused when `limit` are in it. */
  readonly admitUnattended: (access: UnattendedAccess) => Promise<Admission>;
  /** A following page of an access that was counted before: logged, and counts nothing. */
  readonly continueUnattended: (access: UnattendedAccess) => Promise<Budget>;
  /** Not limited; logged all the same. */
  readonly admitAttended: (read: ServedRead) => Promise<void>;
};

export type UnattendedAccess = {
  readonly read: ServedRead;
  /** Endpoint and account, e.g. `balances:3f…`: each has its own count. */
  readonly resource: string;
  readonly limit: number;
  readonly windowHours: number;
};

/** `resetAt` is when the oldest access in the window falls out of it, so that one more is left. */
export type Budget = { readonly left: number; readonly resetAt: Date };

export type Admission = Budget & { readonly admitted: boolean };
