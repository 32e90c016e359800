import { BlockList, isIP } from "node:net";

/** Networks of which no caller from the public Internet can be a part; IANA's special-purpose registries. */
const RESERVED_NETWORKS = [
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

const reservedNetworks = listOf(RESERVED_NETWORKS);
const notPublic = listOf(NOT_PUBLIC);
/** The global unicast range of IPv6. */
const globalIpv6 = listOf(["2000::/3"]);

/** Whether no caller from the public Internet can have this address. */
export function isReservedAddress(plain: string): boolean {
  if (holds(reservedNetworks, plain)) return true;
  return isIpv6(plain) && !holds(globalIpv6, plain) && !holds(notPublic, plain);
}

/** Whether it is of a private network, of loopback, or for documentation. */
export function isNotPublic(plain: string): boolean {
  return holds(notPublic, plain);
}

/** Whether an address literal is in the public Internet. */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain !== undefined && !isReservedAddress(plain) && !isNotPublic(plain);
}

/** Whether an address is one of these, or in one of these networks. */
export function isAmong(peers: readonly string[]): (address: string | undefined) => boolean {
  const list = listOf(peers);
  return (given) => {
    // On a dual-stack socket an IPv4 peer shows as ::ffff:a.b.c.d.
    const address = given?.replace(/^::ffff:(?=\d+\.)/, "");
    return address !== undefined && holds(list, address);
  };
}

/** One spelling for each address: `::ffff:192.0.2.1` in any of its own is 192.0.2.1. */
export function plainAddress(address: string): string | undefined {
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

/** Of addresses and networks. */
function listOf(peers: readonly string[]): BlockList {
  const list = new BlockList();
  for (const peer of peers) {
    const [address = "", prefix] = peer.split("/");
    const family = isIpv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIpv6(address) ? "ipv6" : "ipv4");
}

function isIpv6(address: string): boolean {
  return address.includes(":");
}

/** What one subscriber has: an IPv4 address, or a /64 of IPv6 (RFC 6177). Undefined for what is no address. */
export function networkOf(address: string): string | undefined {
  const plain = plainAddress(address);
  if (plain === undefined || !isIpv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const [before, behind] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => "0");
  const all = tail === undefined ? before : [...before, ...zeros, ...behind];
  return `${all.slice(0, 4).join(":")}::/64`;
}
