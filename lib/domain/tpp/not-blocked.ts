import type { TppId } from "../identifiers";
import { reject } from "../rejection";
import type { Arrival } from "./arrival";
import type { BlockOrder, StopList } from "./stop-list";

type Checking = { readonly stopList: Pick<StopList, "find"> };

/** The bank still serves this TPP. Rejects with 401 CERTIFICATE_BLOCKED, which tells no reason. */
export async function checkNotBlocked(
  { stopList }: Checking,
  tppId: TppId,
  now: Date,
): Promise<void> {
  refuseBlocked(await stopList.find(tppId, now));
}

/**
 * The same of a TPP that was looked up when its request arrived. Throws an Error when that was another
 * one: nobody is let in unseen.
 */
export function checkArrival({ tppId: lookedUp, order }: Arrival, tppId: TppId): void {
  if (lookedUp !== tppId) throw new Error("another TPP was looked up than the certificate names");
  refuseBlocked(order);
}

function refuseBlocked(order: BlockOrder | undefined): void {
  if (order === undefined) return;
  const { tppId } = order;
  const end = order.until === undefined ? "" : ` until ${order.until.toISOString()}`;
  throw reject("CERTIFICATE_BLOCKED", `${tppId} is blocked by the bank${end}`);
}
