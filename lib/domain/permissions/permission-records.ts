import type { ServedRead } from "../access-log/access-log";
import type { AccountConsent } from "../consent/account-consent";
import type { FundsConsent } from "../funds-confirmation/funds-consent";
import type { Branded, ConsentId, PsuId } from "../identifiers";
import type { Payment } from "../payment/payment";
import type { Tpp } from "../tpp/tpp";

export const permissionKinds = ["accounts", "funds", "payments"] as const;
export type PermissionKind = (typeof permissionKinds)[number];

type Kept =
  | { readonly kind: "accounts"; readonly consent: AccountConsent }
  | { readonly kind: "funds"; readonly consent: FundsConsent }
  | { readonly kind: "payments"; readonly payment: Payment };

/** A consent or payment order that a PSU has signed in for, whether or not they confirmed it. */
export type PermissionRecord = Kept & {
  readonly tpp: Tpp;
  readonly requestedAt: Date;
  readonly endedAt?: Date;
  /** When the TPP last read something by it. */
  readonly lastReadAt?: Date;
};

/** Where a line of the access history stands; a following page begins after it. */
export type ReadPosition = Branded<"ReadPosition">;
export type LoggedRead = ServedRead & { readonly position: ReadPosition };

export type Span = { readonly offset: number; readonly limit: number };

/** What a PSU has to do with TPPs. Another PSU's is not found: unknown and foreign look the same. */
export type PermissionRecords = {
  /**
   * What is in force comes first, then what is not; in each the TPP whose request is newest first,
   * and of one TPP the newest first.
   */
  readonly of: (psuId: PsuId, span: Span) => Promise<readonly PermissionRecord[]>;
  readonly find: (
    psuId: PsuId,
    kind: PermissionKind,
    id: string,
  ) => Promise<PermissionRecord | undefined>;
  /** Newest first, as they were served. Whose consent it is, `find` says. */
  readonly readsOf: (
    id: ConsentId,
    page: { readonly after?: ReadPosition; readonly limit: number },
  ) => Promise<readonly LoggedRead[]>;
};
