import { describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { accessOf } from "./access";
import { parse } from "./parse";
import { circumstances } from "./testing/consent-request";
import { thrown } from "./testing/refusal";
import { now } from "./testing/tpp";
import { fundsHeaders } from "./wire/funds-confirmation";
import { accessHeaders, plainHeaders } from "./wire/headers";

const grant = { consent: {} as AccountConsent };
type Sent = Readonly<Record<string, string>>;
const accessRead = (headers: Sent) =>
  parse("header", accessHeaders, new Headers({ "consent-id": "1", ...headers }), circumstances);
const plainRead = (headers: Sent) =>
  parse("header", plainHeaders, new Headers(headers), circumstances);
const access = (headers: Sent, sandbox = false) =>
  accessOf({ grant, headers: accessRead(headers), now }, { sandbox });
const attended = (...sent: Parameters<typeof access>) => access(...sent).attended;

describe("a call to account data", () => {
  it("without PSU-IP-Address counts as unattended", () => {
    expect(attended({})).toBe(false);
    expect(attended({ "psu-ip-port": "443", "psu-user-agent": "browser" })).toBe(false);
  });

  it("with the PSU's address is attended", () => {
    expect(attended({ "psu-ip-address": "81.196.12.34" })).toBe(true);
  });

  it.each([
    ["10.0.0.1", "not-public"],
    ["0.0.0.0", "reserved"],
  ])("B4: with PSU-IP-Address %s is unattended, not refused", (address, addressIgnored) => {
    const opened = access({ "psu-ip-address": address });
    expect(opened).toMatchObject({ attended: false, addressIgnored });
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
      expect(thrown(() => parse("header", form, sent, circumstances))).toMatchObject({
        status: 400,
        faults: [{ code: "FORMAT_ERROR", path: "Consent-ID" }],
      });
    }
  });

  it("B4: with the TPP's own address is unattended", () => {
    const own = { "psu-ip-address": "81.196.12.34", "client-address": "81.196.12.34" };
    expect(access(own)).toMatchObject({ attended: false, addressIgnored: "of-the-tpp" });
  });

  it("in the sandbox may come from a PSU on the same machine", () => {
    const local = { "psu-ip-address": "127.0.0.1", "client-address": "127.0.0.1" };
    expect(attended(local, true)).toBe(true);
    expect(attended(local)).toBe(false);
  });
});
