import { describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { accessOf } from "./access";
import { parse } from "./parse";
import { circumstances } from "./testing/consent-request";
import { now } from "./testing/tpp";
import { accessHeaders } from "./wire/headers";

const grant = { consent: {} as AccountConsent };
const attended = (headers: Readonly<Record<string, string>>, sandbox = false) => {
  const sent = new Headers({ "consent-id": "1", ...headers });
  const read = parse("header", accessHeaders, sent, circumstances);
  return accessOf({ grant, headers: read, now }, { sandbox }).attended;
};

describe("a call to account data", () => {
  it("without PSU-IP-Address counts as unattended", () => {
    expect(attended({})).toBe(false);
    expect(attended({ "psu-ip-port": "443", "psu-user-agent": "browser" })).toBe(false);
  });

  it("with the PSU's address is attended", () => {
    expect(attended({ "psu-ip-address": "81.196.12.34" })).toBe(true);
  });

  it.each(["10.0.0.1", "0.0.0.0", "nonsense", "", "300.1.1.1"])(
    "B4: with PSU-IP-Address %j is unattended, not refused",
    (address) => expect(attended({ "psu-ip-address": address })).toBe(false),
  );

  it("B4: with the TPP's own address is unattended", () => {
    const own = { "psu-ip-address": "81.196.12.34", "client-address": "81.196.12.34" };
    expect(attended(own)).toBe(false);
  });

  it("in the sandbox may come from a PSU on the same machine", () => {
    const local = { "psu-ip-address": "127.0.0.1", "client-address": "127.0.0.1" };
    expect(attended(local, true)).toBe(true);
    expect(attended(local)).toBe(false);
  });
});
