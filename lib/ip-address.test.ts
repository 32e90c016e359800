import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNotPublic, isPublicAddress, isReservedAddress, networkOf } from "./ip-address";

describe("X6: a public address", () => {
  it.each(["81.196.12.34", "1.1.1.1", "172.32.0.1", "2a02:2f00::1", "::ffff:81.196.12.34"])(
    "%s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "192.0.2.1",
    "::1",
    "::",
    "fd12::1",
    "fe80::1",
    "2a02:2f00::1%eth0",
    "::ffff:10.0.0.1",
    "0:0:0:0:0:ffff:a00:1",
    "64:ff9b::a00:1",
    "localhost",
    "",
    "2130706433",
    "[::1]",
  ])("is not %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
    ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
    ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
    ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
    ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
  ])("is private from the first of a network to its last: %s, %s, %s, %s", (...addresses) => {
    expect(addresses.map(isNotPublic)).toEqual([false, true, true, false]);
    expect(addresses.map(isPublicAddress)).toEqual([true, false, false, true]);
  });

  it.each([
    ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
    ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
    ["192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"],
  ])("is reserved from the first of a network to its last: %s, %s, %s, %s", (...addresses) => {
    expect(addresses.map(isReservedAddress)).toEqual([false, true, true, false]);
  });

  it("is reserved below the first and above the last network", () => {
    const addresses = ["0.255.255.255", "1.0.0.0", "223.255.255.255", "224.0.0.0"];
    expect([...addresses, "240.0.0.0", "255.255.255.255"].map(isReservedAddress)).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it("is in no private network, as IPv4 and as IPv6", () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(octet, octet, octet, (second, third, fourth) => {
        const inside = [
          `10.${second}.${third}.${fourth}`,
          `127.${second}.${third}.${fourth}`,
          `172.${16 + (second % 16)}.${third}.${fourth}`,
          `192.168.${third}.${fourth}`,
          `169.254.${third}.${fourth}`,
        ];
        for (const address of inside) {
          expect(isPublicAddress(address)).toBe(false);
          expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
        }
      }),
    );
  });
});

describe("the network of a subscriber", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["203.0.113.300", undefined],
    ["unknown", undefined],
  ])("P5: of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it("P5: is one for all addresses of a /64", () => {
    const group = fc.nat(65_535).map((number) => number.toString(16));
    fc.assert(
      fc.property(fc.tuple(group, group, group, group), (own) => {
        expect(networkOf(`2001:db8:1:2:${own.join(":")}`)).toBe("2001:db8:1:2::/64");
      }),
    );
  });
});
