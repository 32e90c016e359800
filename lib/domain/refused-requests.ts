import type { ResourceKind } from "./authorisation";
import type { MessageCode } from "./errors";
import type { RequestId, TppId } from "./values";

/** A request of a TPP that was refused, and what the TPP was told. */
export type RefusedRequest = {
  readonly at: Date;
  readonly tppId: TppId;
  readonly requestId?: RequestId | undefined;
  readonly method: string;
  /** Its path, with the names of its parts in place of their values. */
  readonly route: string;
  readonly status: number;
  readonly code: MessageCode;
  readonly told: string;
  /** Which consent or payment it named, also another TPP's. */
  readonly resource?: { readonly kind: ResourceKind; readonly id: string } | undefined;
};

/** Kept for some weeks, to answer why something was refused. */
export type RefusedRequests = {
  readonly keep: (refused: readonly RefusedRequest[]) => Promise<void>;
  /** Of one consent or payment, or of one X-Request-ID, oldest first. */
  readonly of: (
    which: { readonly resourceId: string } | { readonly requestId: RequestId },
    limit: number,
  ) => Promise<readonly RefusedRequest[]>;
};
