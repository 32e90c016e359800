import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestContext } from "@/lib/domain/request-context";
import { openedAccess } from "@/lib/domain/testing/journeys";
import type { RequestId, TppId } from "@/lib/domain/values";
import { openExchange } from "./http";
import { parse } from "./parse";
import { addressIgnoredReason } from "./request-context";
import { accessOf } from "./resource-calls";
import { own, ports, refusal, schemaContext } from "./testing/requests";
import { now, signedRequest, thrown } from "./testing/tpp";
import { accessHeaders, plainHeaders } from "./wire/common";
import { fundsHeaders } from "./wire/funds";

describe("reload of a stale request context", () => {
  afterEach(() => vi.restoreAllMocks());

  const contexts = (...seen: readonly Partial<RequestContext>[]) => {
    let loads = -1;
    return {
      load: vi.fn(
        async (named: { readonly tppId?: RequestContext["tppId"] }): Promise<RequestContext> => {
          loads += 1;
          return {
            now,
            bankNow: now,
            tppId: named.tppId,
            ...seen[Math.min(loads, seen.length - 1)],
          };
        },
      ),
    };
  };
  /** An issuer that takes so many milliseconds to say that its certificate is good. */
  const slow = (milliseconds: number) => {
    const clock = vi.spyOn(performance, "now");
    return {
      check: async () => {
        clock.mockReturnValue(openExchange(signedRequest(own)).openedAtMs + milliseconds);
        return "good" as const;
      },
    };
  };
  const order = { tppId: "PSDRO-NBR-1234567" as TppId, blockedAt: now };

  it("O13, C6: what changed while an issuer was asked holds for the request that waited", async () => {
    const loaded = contexts({}, { order });
    const waiting = { ...ports, requestContexts: loaded, revocation: slow(1_000) };
    expect(await refusal(signedRequest(own), waiting)).toMatchObject({
      code: "CERTIFICATE_BLOCKED",
    });
    expect(loaded.load).toHaveBeenCalledTimes(2);
  });

  it("a request that was not delayed is looked up once", async () => {
    vi.spyOn(performance, "now").mockReturnValue(0);
    const loaded = contexts({}, { order });
    await refusal(signedRequest(own, { body: '{"word":1}' }), {
      ...ports,
      requestContexts: loaded,
    });
    expect(loaded.load).toHaveBeenCalledTimes(1);
  });
});

const opened = await openedAccess();

describe("access", () => {
  const { ports, consent: grant } = opened;
  const note = vi.fn();
  beforeEach(() => void note.mockClear());
  const requestId = crypto.randomUUID() as string as RequestId;
  type Sent = Readonly<Record<string, string>>;
  const accessRead = (headers: Sent) =>
    parse("header", accessHeaders, new Headers({ "consent-id": "1", ...headers }), schemaContext);
  const plainRead = (headers: Sent) =>
    parse("header", plainHeaders, new Headers(headers), schemaContext);
  const access = (headers: Sent, sandbox = false) =>
    accessOf(
      { grant, headers: accessRead(headers), now, requestId },
      { ...ports, sandbox, attendedReads: { note } },
    );
  const attended = async (...sent: Parameters<typeof access>) => (await access(...sent)).attended;

  describe("a call to account data", () => {
    it("without PSU-IP-Address counts as unattended", async () => {
      expect(await attended({})).toBe(false);
      expect(await attended({ "psu-ip-port": "443", "psu-user-agent": "browser" })).toBe(false);
    });

    it("with the PSU's address is attended", async () => {
      expect(await attended({ "psu-ip-address": "81.196.12.34" })).toBe(true);
    });

    it("B4: that is attended is noted with its address, and no other, nor in the sandbox", async () => {
      const [address, own] = ["81.196.12.34", "81.196.12.35"];
      await access({ "psu-ip-address": address, "client-address": own });
      expect(note.mock.calls).toEqual([[{ tppId: grant.tppId, consentId: grant.id, address }]]);
      await access({ "psu-ip-address": own, "client-address": own });
      await access({});
      await access({ "psu-ip-address": address }, true);
      expect(note).toHaveBeenCalledTimes(1);
    });

    it.each([
      ["10.0.0.1", "not-public"],
      ["0.0.0.0", "reserved"],
    ])("B4: with PSU-IP-Address %s is unattended, not refused", async (address, addressIgnored) => {
      const given = await access({ "psu-ip-address": address });
      expect(given).toMatchObject({ attended: false, addressIgnored });
    });

    it.each([
      "823.121.123.142",
      "300.1.1.1",
      "1.2.3",
      "081.196.12.34",
      "81.196.12.34, 81.196.12.35",
      "81.196.12.34:443",
      "[2a02:2f00::1]",
      "2a02:2f00::1%eth0",
      "localhost",
      "",
    ])("B4: with %j, which is no IP address, is 400 FORMAT_ERROR", (address) => {
      const refused = { status: 400, faults: [{ code: "FORMAT_ERROR", path: "PSU-IP-Address" }] };
      for (const read of [accessRead, plainRead]) {
        expect(thrown(() => read({ "psu-ip-address": address }))).toMatchObject(refused);
      }
    });

    it("with an empty Consent-ID is 400 FORMAT_ERROR, not an unknown consent", () => {
      for (const form of [accessHeaders, fundsHeaders]) {
        const sent = new Headers({ "consent-id": "" });
        expect(thrown(() => parse("header", form, sent, schemaContext))).toMatchObject({
          status: 400,
          faults: [{ code: "FORMAT_ERROR", path: "Consent-ID" }],
        });
      }
    });

    it("B4: with the TPP's own address is unattended", async () => {
      const own = { "psu-ip-address": "81.196.12.34", "client-address": "81.196.12.34" };
      expect(await access(own)).toMatchObject({ attended: false, addressIgnored: "of-the-tpp" });
    });

    it("in the sandbox may come from a PSU on the same machine", async () => {
      const local = { "psu-ip-address": "127.0.0.1", "client-address": "127.0.0.1" };
      expect(await attended(local, true)).toBe(true);
      expect(await attended(local)).toBe(false);
    });
  });
});

describe("B4: PSU-IP-Address", () => {
  const ignored = (address: string, sandbox: boolean, callerAddress?: string) =>
    addressIgnoredReason(address, { sandbox, callerAddress });

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
  ])("%s, can be the PSU's: %s", (_what, address) => {
    expect([ignored(address, false), ignored(address, true)]).toEqual([undefined, undefined]);
  });

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
  ])("%s, can be the PSU's in the sandbox only: %s", (_what, address) => {
    expect([ignored(address, false), ignored(address, true)]).toEqual(["not-public", undefined]);
  });

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
  ])("%s, is reserved: %j", (_what, address) => {
    expect([ignored(address, false), ignored(address, true)]).toEqual(["reserved", "reserved"]);
  });

  it.each([
    ["81.196.12.34", "81.196.12.34"],
    ["81.196.12.34", "::ffff:81.196.12.34"],
    ["2a02:2f00::1", "2A02:2F00:0::1"],
  ])("is not the PSU's: %s from %s", (address, caller) => {
    expect(ignored(address, false, caller)).toBe("of-the-tpp");
    expect(ignored(address, false, "81.196.12.35")).toBeUndefined();
  });

  it("may be the TPP's own in the sandbox, where both are on one machine", () => {
    expect(ignored("127.0.0.1", true, "127.0.0.1")).toBeUndefined();
  });
});
