import type { AddressIgnored } from "@/lib/domain/account-access/allowance";
import { inPlain, isNobodys, isNotPublic } from "@/lib/ip-address";

type Circumstances = {
  readonly sandbox: boolean;
  /** Where the call itself came from, when the listener could tell. */
  readonly callerAddress: string | undefined;
};

/**
 * Why the PSU cannot have called from this address; undefined where it can. A bank cannot prove that PSU-IP-Address is
 * true, only that it cannot be: an address that nobody on the Internet has, or the TPP's own. In the
 * sandbox the PSU and the TPP are often one machine, or one network, and the examples of the
 * standard are copied, so loopback, private and documentation addresses are a PSU's there.
 */
export function whyNotThePsus(
  address: string,
  { sandbox, callerAddress }: Circumstances,
): AddressIgnored | undefined {
  const plain = inPlain(address);
  if (plain === undefined || isNobodys(plain)) return "reserved";
  if (sandbox) return undefined;
  if (isNotPublic(plain)) return "not-public";
  return callerAddress !== undefined && plain === inPlain(callerAddress) ? "of-the-tpp" : undefined;
}
