import type { TppId } from "../identifiers";
import { reject } from "../rejection";
import type { StopList } from "./stop-list";

type Checking = { readonly stopList: Pick<StopList, "find"> };

/** The bank still serves this TPP. Rejects with 401 CERTIFICATE_BLOCKED, which tells no reason. */
export async function checkNotBlocked(
  { stopList }: Checking,
  tppId: TppId,
  now: Date,
): Promise<void> {
  const order = await stopList.find(tppId, now);
  if (order === undefined) return;
  const end = order.until === undefined ? "" : ` until ${order.until.toISOString()}`;
  throw reject("CERTIFICATE_BLOCKED", `${tppId} is blocked by the bank${end}`);
}
