import { BlockList, isIP } from "node:net";

/** Networks of which no caller from the public Internet can be a part; IANA's special-purpose registries. */
const NOBODYS = [
  "0.0.0.0/8", // this network, the unspecified address
  "100.64.0.0/10", // between a provider and its customers
  "169.254.0.0/16", // link-local
  "192.0.0.0/24", // protocol assignments
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
  "2001::/23", // protocol assignments, Teredo and ORCHID among them
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
] as const;

/** Networks at home or at work, and those that only examples use. */
const NOT_PUBLIC = [
  "127.0.0.0/8", // loopback
  "::1/128",
  "10.0.0.0/8", // private
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
  "192.0.2.0/24", // documentation
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
] as const;

const nobodys = networks(NOBODYS);
const notPublic = networks(NOT_PUBLIC);
/** All of IPv6 that was ever given out. */
const globalIpv6 = networks(["2000::/3"]);

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
  if (plain === undefined || holds(nobodys, plain)) return false;
  if (holds(notPublic, plain)) return sandbox;
  if (isIP(plain) === 6 && !holds(globalIpv6, plain)) return false;
  return sandbox || callerAddress === undefined || plain !== inPlain(callerAddress);
}

/** One spelling for each address: `::ffff:192.0.2.1` in any of its own is 192.0.2.1. */
function inPlain(address: string): string | undefined {
  const family = isIP(address);
  // A zone names an interface of one machine.
  if (family === 0 || address.includes("%")) return undefined;
  if (family === 4) return address;
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function networks(list: readonly string[]): BlockList {
  const made = new BlockList();
  for (const network of list) {
    const [address = "", prefix] = network.split("/");
    made.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return made;
}
