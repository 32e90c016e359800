import type { TppId } from "../identifiers";

/**
 * The bank's word that a TPP gets nothing (PSD2 art. 68(5)), be it the bank's own or an authority's
 * that it follows. At `until` it holds no more; without it, it holds until it is lifted.
 */
export type BlockOrder = {
  readonly tppId: TppId;
  /** For the bank's own eyes: neither the TPP nor a PSU is told. */
  readonly reason?: string;
  readonly blockedAt: Date;
  readonly until?: Date;
};

export type Blocking =
  | { readonly outcome: "blocked" }
  /** By an order that ends no earlier: nothing has changed. */
  | { readonly outcome: "blocked-already"; readonly until?: Date }
  /** `until` is not after `blockedAt`: nothing has changed. */
  | { readonly outcome: "over-already" };

/** An order holds until its end, and at that instant no more. */
export function isInForce({ until }: Pick<BlockOrder, "until">, now: Date): boolean {
  return until === undefined || now < until;
}

/** Whom the bank serves no more. Every server reads it anew at each call, so an order holds at the next one. */
export type StopList = {
  /** The order in force, if there is one. */
  readonly find: (tppId: TppId, now: Date) => Promise<BlockOrder | undefined>;
  /**
   * Of two orders for one TPP the one that ends later counts, whichever was first: to block can never
   * let a TPP in sooner.
   */
  readonly block: (order: BlockOrder) => Promise<Blocking>;
  /** False when no order was in force. */
  readonly unblock: (tppId: TppId, now: Date) => Promise<boolean>;
  /** The orders in force, the oldest first. */
  readonly list: (now: Date) => Promise<readonly BlockOrder[]>;
};
