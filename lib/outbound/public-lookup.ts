import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "@/lib/ip-address";

/** How a name becomes addresses, e.g. by asking name servers. Throws an Error when it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * What a connection asks for its addresses: a name with any address inside the house has none at all.
 * It connects to the addresses it gets here and asks no second time, so a name that changes its mind
 * in between (DNS rebinding) gains nothing.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    publicAddresses(hostname, resolve).then(
      ([first, ...more]) => {
        if (options.all === true) callback(null, [first, ...more]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

async function publicAddresses(hostname: string, resolve: Resolve): Promise<Addresses> {
  const [first, ...more] = await resolve(hostname);
  if (first === undefined) throw new Error("the name has no address");
  if (![first, ...more].every(({ address }) => isPublicAddress(address))) {
    throw new Error("leads inside the house");
  }
  return [first, ...more];
}
