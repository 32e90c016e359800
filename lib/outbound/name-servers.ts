import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { Resolve } from "./public-lookup";

/**
 * Asks the machine's name servers itself. The system's own lookup would hold one of four threads
 * until it has an answer, and passwords and files wait for the same four: a stranger whose name
 * servers are silent could keep everybody waiting. Rejects when a name has no address.
 */
export function nameServers(resolver = new Resolver({ timeout: 1_000, tries: 2 })): Resolve {
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [...addresses(v4, 4), ...addresses(v6, 6)];
  };
}

function addresses(
  found: PromiseSettledResult<readonly string[]>,
  family: 4 | 6,
): readonly LookupAddress[] {
  if (found.status === "rejected") return [];
  return found.value.map((address) => ({ address, family }));
}
