import type { Network } from "@/lib/domain/sca/sign-in-throttle";
import { networkOf } from "@/lib/ip-address";

/** The header in which the browser host, and nobody else, says where a request comes from. */
export const CLIENT_ADDRESS = "client-address";

/** Undefined where the bank does not know it (`WEB_CLIENT_ADDRESS`). */
export function callingNetwork(headers: Pick<Headers, "get">): Network | undefined {
  const address = headers.get(CLIENT_ADDRESS);
  return address === null ? undefined : (networkOf(address) as Network | undefined);
}
