import { inPlain, isNobodys, isNotPublic } from "@/lib/ip-address";

type Circumstances = {
  readonly sandbox: boolean;
  /** Where the call itself came from, when the listener could tell. */
  readonly callerAddress: string | undefined;
};

/**
 * Whether the PSU can have called from this address. A bank cannot prove that PSU-IP-Address is
 * true, only that it cannot be: an address that nobody on the Internet has, or the TPP's own. In the
 * sandbox the PSU and the TPP are often one machine, or one network, and the examples of the
 * standard are copied, so loopback, private and documentation addresses are a PSU's there.
 */
export function canBeThePsus(address: string, { sandbox, callerAddress }: Circumstances): boolean {
  const plain = inPlain(address);
  if (plain === undefined || isNobodys(plain)) return false;
  if (isNotPublic(plain)) return sandbox;
  return sandbox || callerAddress === undefined || plain !== inPlain(callerAddress);
}
