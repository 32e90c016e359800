import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./ip-address";

describe("X6: an address that leads out into the public Internet", () => {
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

  it("is none of the private networks, in whatever of the two families it is written", () => {
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
