import type { ReadKind } from "@/lib/domain/access-log/access-log";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Money } from "@/lib/domain/money";
import type { PermissionKind } from "@/lib/domain/permissions/permission-records";
import type { PermissionState } from "@/lib/domain/permissions/permission-state";
import type { QuotedName } from "./formats";

/** Where the PSU sees what was shared, and ends it. */
export type PermissionsTexts = {
  readonly heading: string;
  readonly lead: string;
  readonly inForce: string;
  readonly past: string;
  readonly noneInForce: string;
  readonly nonePast: string;
  readonly newer: string;
  readonly older: string;
  readonly toList: string;
  readonly download: string;
  readonly downloadHistory: string;
  readonly details: string;
  readonly kinds: Readonly<Record<PermissionKind, string>>;
  /** The heading of one, as its page has it. */
  readonly one: Readonly<Record<PermissionKind, (tpp: QuotedName) => string>>;
  readonly states: Readonly<Record<PermissionState, string>>;
  readonly labels: {
    readonly tpp: string;
    readonly registration: string;
    readonly kind: string;
    readonly status: string;
    readonly data: string;
    readonly accounts: string;
    readonly since: string;
    readonly requested: string;
    readonly until: string;
    readonly ended: string;
    readonly howOften: string;
    readonly lastRead: string;
    readonly amount: string;
    readonly payee: string;
    readonly message: string;
    readonly from: string;
  };
  readonly instant: (instant: Date, timeZone: string) => string;
  readonly day: (date: IsoDate) => string;
  readonly money: (amount: Money) => string;
  readonly neverRead: string;
  readonly noAccounts: string;
  readonly fundsData: string;
  readonly fundsOften: string;
  readonly untilEnded: string;
  readonly history: {
    readonly heading: string;
    readonly lead: (days: number) => string;
    readonly none: string;
    readonly when: string;
    readonly what: string;
    readonly account: string;
    readonly how: string;
    readonly everyAccount: string;
    readonly attended: string;
    readonly unattended: string;
    readonly reads: Readonly<Record<ReadKind, string>>;
    readonly newest: string;
    readonly older: string;
  };
  readonly revoke: {
    readonly begin: string;
    readonly heading: (tpp: QuotedName) => string;
    readonly lead: Readonly<Record<"accounts" | "funds", (tpp: QuotedName) => string>>;
    readonly submit: string;
    readonly keep: string;
  };
};
