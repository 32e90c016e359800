import type { ResourceKind } from "./authorisation";
import { type MessageCode, reject } from "./errors";
import { isUuid, type RequestId, type TppId } from "./values";

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
  /** Absent for what was refused before the bank kept it. */
  readonly explanation?: Explanation | undefined;
  /** Which consent or payment it named, also another TPP's. */
  readonly resource?: { readonly kind: ResourceKind; readonly id: string } | undefined;
};

/** The check that failed, and what the bank saw and expected in it: no account data, token or signature. */
export type Explanation = {
  readonly check: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
};

/** Kept for some weeks, to answer why something was refused. */
export type RefusedRequests = {
  readonly keep: (refused: readonly RefusedRequest[]) => Promise<void>;
  /** Of one consent or payment, or of one X-Request-ID, of any TPP or one, oldest first: `limit` of the newest. */
  readonly of: (
    which:
      | { readonly resourceId: string }
      | { readonly requestId: RequestId; readonly tppId?: TppId },
    limit: number,
  ) => Promise<readonly RefusedRequest[]>;
};

const AT_ONCE_MAX = 20;

/**
 * The TPP's own refused requests of one X-Request-ID, oldest first. Another TPP's are as unknown as none: rejects with
 * 404 RESOURCE_UNKNOWN.
 */
export async function refusalsOfRequest(
  { refusedRequests }: { readonly refusedRequests: Pick<RefusedRequests, "of"> },
  { requestId, tppId }: { readonly requestId: RequestId; readonly tppId: TppId },
): Promise<readonly RefusedRequest[]> {
  const found = isUuid(requestId)
    ? await refusedRequests.of({ requestId, tppId }, AT_ONCE_MAX)
    : [];
  if (found.length > 0) return found;
  throw reject("RESOURCE_UNKNOWN", "no refused request of this TPP has this X-Request-ID");
}
