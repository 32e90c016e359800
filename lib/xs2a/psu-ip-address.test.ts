import { describe, expect, it } from "vitest";
import { whyNotThePsus } from "./psu-ip-address";

const outside = (address: string, callerAddress?: string) =>
  whyNotThePsus(address, { sandbox: false, callerAddress });
const inSandbox = (address: string, callerAddress?: string) =>
  whyNotThePsus(address, { sandbox: true, callerAddress });

describe("B4: an address that can be the PSU's", () => {
  it.each([
    ["of IPv4", "81.196.12.34"],
    ["just below a private network", "172.15.255.255"],
    ["just above one", "172.32.0.0"],
    ["just above the shared space", "100.128.0.1"],
    ["the last before multicast", "223.255.255.254"],
    ["of IPv6", "2a02:2f00::1"],
    ["of IPv6 in capitals and at length", "2A02:2F00:0:0:0:0:0:1"],
    ["of IPv4 written as IPv6", "::ffff:81.196.12.34"],
    ["of IPv4 written as IPv6 in hexadecimal", "0:0:0:0:0:FFFF:51C4:0C22"],
  ])("%s: %s", (_what, address) => {
    expect(outside(address)).toBeUndefined();
    expect(inSandbox(address)).toBeUndefined();
  });
});

describe("B4: an address that can be the PSU's in the sandbox only", () => {
  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.255"],
    ["loopback", "::1"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.10"],
    ["private", "fd12:3456:789a::1"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.7"],
    ["documentation", "203.0.113.255"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff:1::1"],
    ["loopback written as IPv6", "::ffff:127.0.0.1"],
    ["private written as IPv6", "::ffff:c0a8:10a"],
  ])("%s: %s", (_what, address) => {
    expect(outside(address)).toBe("not-public");
    expect(inSandbox(address)).toBeUndefined();
  });
});

describe("B4: an address that is nobody's", () => {
  it.each([
    ["unspecified", "0.0.0.0"],
    ["unspecified", "::"],
    ["this network", "0.1.2.3"],
    ["shared between providers", "100.64.0.1"],
    ["link-local", "169.254.169.254"],
    ["link-local", "fe80::1"],
    ["protocol assignment", "192.0.0.8"],
    ["AS112", "192.31.196.1"],
    ["AS112", "192.175.48.1"],
    ["AS112", "2620:4f:8000::1"],
    ["AMT", "192.52.193.1"],
    ["6to4 relay", "192.88.99.1"],
    ["6to4", "2002:c0a8:10a::1"],
    ["benchmark", "198.18.0.1"],
    ["benchmark", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["multicast", "ff02::1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["Teredo", "2001:0:4136:e378::1"],
    ["ORCHID", "2001:20::1"],
    ["translated", "64:ff9b::51c4:c22"],
    ["discard", "100::1"],
    ["IPv4-compatible", "::81.196.12.34"],
    ["site-local", "fec0::1"],
    ["never given out", "4000::1"],
    ["link-local written as IPv6", "::ffff:169.254.169.254"],
  ])("%s: %j", (_what, address) => {
    expect(outside(address)).toBe("reserved");
    expect(inSandbox(address)).toBe("reserved");
  });
});

describe("B4: the TPP's own address", () => {
  it.each([
    ["81.196.12.34", "81.196.12.34"],
    ["81.196.12.34", "::ffff:81.196.12.34"],
    ["2a02:2f00::1", "2A02:2F00:0::1"],
  ])("is not the PSU's: %s from %s", (address, caller) => {
    expect(outside(address, caller)).toBe("of-the-tpp");
    expect(outside(address, "81.196.12.35")).toBeUndefined();
  });

  it("may be the PSU's in the sandbox, where both are on one machine", () => {
    expect(inSandbox("127.0.0.1", "127.0.0.1")).toBeUndefined();
  });
});
