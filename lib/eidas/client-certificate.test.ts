import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Psd2Role } from "@/lib/domain/tpp";
import { addTime as later } from "@/lib/domain/values";
import { qwacParts } from "@/lib/sandbox/tpp-certificates";
import { inputs } from "@/lib/testing-inputs";
import {
  checkTokenClient,
  formatClientCert,
  formatEscapedPem,
  parseClientCert,
  parseEscapedPem,
  presentedQwac,
  tppOfClientCert,
} from "./client-certificate";
import { checkQseal } from "./qwac-qsealc";
import { type Revocation, revocation } from "./revocation";
import { type Issuing, issueDer, now, refusal, request, startIssuing } from "./testing/issuing";
import { mutateText, mutations } from "./testing/mutations";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

describe("presented qwac", () => {
  let header: string;
  beforeAll(async () => {
    header = formatClientCert(await issuing.qwac());
  });

  describe("the TPP of a certificate, before it is validated", () => {
    it("is the TPP of a trusted certificate", () => {
      expect(tppOfClientCert(header, issuing.anchors)).toBe("PSDRO-NBR-1234567");
      expect(presentedQwac(header, issuing.anchors, now).tpp.id).toBe("PSDRO-NBR-1234567");
    });

    it("is named by an expired one: the time is not known yet", () => {
      const late = later(now, 4_000, "day");
      expect(() => presentedQwac(header, issuing.anchors, late)).toThrow();
      expect(tppOfClientCert(header, issuing.anchors)).toBe("PSDRO-NBR-1234567");
    });

    it("is undefined for an unknown issuer", () => {
      expect(tppOfClientCert(header, [])).toBeUndefined();
    });

    it.each([undefined, "", "x", ":AAAA:", `:${"A".repeat(40_000)}:`])(
      "is undefined for a malformed certificate",
      (value) => {
        expect(tppOfClientCert(value, issuing.anchors)).toBeUndefined();
      },
    );
  });

  describe("a certificate that is presented again in the same text", () => {
    it("is validated by the clock of each request", () => {
      const { notAfter } = presentedQwac(header, issuing.anchors, now).certificate;
      const late = later(notAfter, 1, "second");
      for (const at of [now, late, now, late]) {
        const fault = refusal(() => presentedQwac(header, issuing.anchors, at));
        expect(fault?.code).toBe(at === now ? undefined : "CERTIFICATE_EXPIRED");
      }
    });

    it("is trusted for its own list of issuers only", () => {
      expect(refusal(() => presentedQwac(header, issuing.anchors, now))).toBeUndefined();
      expect(refusal(() => presentedQwac(header, [], now))?.code).toBe("CERTIFICATE_INVALID");
    });

    it("of an unknown issuer is refused each time", () => {
      const stranger = formatClientCert(new Uint8Array([0x30, 0x00]));
      for (const value of [stranger, header, stranger]) {
        const fault = refusal(() => presentedQwac(value, issuing.anchors, now));
        expect(fault?.code).toBe(value === header ? undefined : "CERTIFICATE_INVALID");
      }
    });

    it("is no QSealC in the form of the QWAC's header", () => {
      const qwac = presentedQwac(header, issuing.anchors, now);
      const asked = () => checkQseal(header, qwac, issuing.anchors, now);
      expect(refusal(asked)?.text).toContain("it is in colons");
      expect(refusal(asked)?.text).toContain("it is in colons");
    });
  });
});

describe("a client of the token endpoint", () => {
  /** A bank in soft mode whom no issuer answers. */
  const silent = () => {
    const fetch = () => Promise.reject(new Error("no answer"));
    return revocation({ mode: "soft", fetch, onFault: () => undefined });
  };

  async function asking(roles: readonly Psd2Role[], status: Revocation) {
    const parts = qwacParts({ ...request, roles }, issuing.keys.publicKey);
    const clientCert = formatClientCert(await issueDer(issuing.authority, parts));
    const checking = { revocation: status, trustAnchors: issuing.anchors };
    return checkTokenClient(clientCert, checking, now);
  }

  it("C5: with the role PSP_PI is refused when the status is unknown, in soft mode as well", async () => {
    for (const roles of [["PSP_PI"], ["PSP_AI", "PSP_PI"]] as const) {
      await expect(asking(roles, silent())).rejects.toMatchObject({
        status: 401,
        faults: [{ code: "CERTIFICATE_INVALID" }],
      });
    }
  });

  it("without the role PSP_PI is accepted in soft mode", async () => {
    const { tpp } = await asking(["PSP_AI", "PSP_IC"], silent());
    expect(tpp.roles).toEqual(["PSP_AI", "PSP_IC"]);
  });

  it("C5: is refused when its certificate is revoked, whatever its roles", async () => {
    const revokes: Revocation = { check: async () => "revoked" };
    await expect(asking(["PSP_AI"], revokes)).rejects.toMatchObject({
      faults: [{ code: "CERTIFICATE_REVOKED" }],
    });
  });

  it("C2: without a certificate is refused first", async () => {
    const checking = { revocation: silent(), trustAnchors: issuing.anchors };
    await expect(checkTokenClient(undefined, checking, now)).rejects.toMatchObject({
      faults: [{ code: "CERTIFICATE_MISSING" }],
    });
  });
});

describe("the Client-Cert header", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 4_000 }), (der) => {
        expect(parseClientCert(formatClientCert(der))).toEqual(Buffer.from(der));
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["an empty byte sequence", "::"],
    ["no colons", "AAAA"],
    ["one colon", ":AAAA"],
    ["two of them, as two headers are joined", ":AAAA:, :AAAA:"],
    ["a parameter", ":AAAA:;a=1"],
    ["blanks around it", " :AAAA: "],
    ["a line break after it", ":AAAA:\n"],
    ["base64url", ":-_-_:"],
    ["no padding", ":AAA:"],
    ["bits beyond the last octet", ":AAB=:"],
    ["a string", '"AAAA"'],
    ["C1: an escaped PEM", "-----BEGIN%20CERTIFICATE-----"],
  ])("C1: is refused with %s", (_name, value) => {
    expect(parseClientCert(value)).toBeUndefined();
  });

  it("C10: is refused above 16 KiB", () => {
    expect(parseClientCert(formatClientCert(new Uint8Array(16_384)))).toHaveLength(16_384);
    expect(parseClientCert(formatClientCert(new Uint8Array(16_385)))).toBeUndefined();
  });
});

describe("a certificate as nginx writes it", () => {
  /** The same mutations every time. */
  const seed = 20_261_121;
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 4_000 });

  let der: Uint8Array;
  beforeAll(async () => {
    der = await issuing.qwac();
  });

  /** Beginning and end of what nginx writes, with this between them. */
  function within(content: string): string {
    return `-----BEGIN%20CERTIFICATE-----%0A${content}%0A-----END%20CERTIFICATE-----%0A`;
  }

  it("is read back as it was written, for any bytes", () => {
    fc.assert(
      fc.property(bytes, (some) => {
        expect(parseEscapedPem(formatEscapedPem(some))).toEqual(Buffer.from(some));
      }),
    );
  });

  it("is the PEM of OpenSSL, percent-encoded", () => {
    const pem = new X509Certificate(der).toString();
    expect(parseEscapedPem(encodeURIComponent(pem))).toEqual(Buffer.from(der));
  });

  it("C1: is read in one form only: of 10,000 mutated ones none is read as the same", () => {
    const whole = formatEscapedPem(der);
    const letters = fc.string({ maxLength: 4, unit: fc.constantFrom(..."-%02ABDEFabf+/= \n,:") });
    fc.assert(
      fc.property(mutations(letters), (list) => {
        const mutated = mutateText(whole, list);
        fc.pre(mutated !== whole);
        const read = parseEscapedPem(mutated);
        // Another letter of its base64 is another certificate, whose signature will not verify.
        expect(read).not.toEqual(Buffer.from(der));
        if (read !== undefined) expect(formatEscapedPem(read)).toBe(mutated);
      }),
      { seed, numRuns: inputs(10_000) },
    );
  });

  it("C1: is never a valid RFC 9440 value, nor the reverse: no value has two meanings", () => {
    fc.assert(
      fc.property(bytes, (some) => {
        expect(parseEscapedPem(formatClientCert(some))).toBeUndefined();
        expect(parseClientCert(formatEscapedPem(some))).toBeUndefined();
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["nothing between its lines", within("")],
    ["base64 alone", "AAAA"],
    ["a PEM that is not escaped", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
    ["its line breaks as blanks", within("AAAA").replaceAll("%0A", "%20")],
    ["its line breaks left out", within("AAAA").replaceAll("%0A", "")],
    ["Windows' line breaks", within("AAAA").replaceAll("%0A", "%0D%0A")],
    ["no line break at its end", within("AAAA").slice(0, -3)],
    ["a blank behind it", `${within("AAAA")} `],
    ["a comma behind it, as two headers are joined", `${within("AAAA")},`],
    ["two certificates", within("AAAA") + within("AAAA")],
    ["two joined as headers are", `${within("AAAA")}, ${within("AAAA")}`],
    ["two within one frame", within("AAAA%0A-----END%20CERTIFICATE-----%0AAAAA")],
    ["another kind of PEM", within("AAAA").replaceAll("CERTIFICATE", "PUBLIC%20KEY")],
    ["a trusted certificate of OpenSSL", within("AAAA").replaceAll("CERT", "TRUSTED%20CERT")],
    ["escapes in small letters", within("AA%2bA")],
    ["a character that need not be escaped", within("%41AAA")],
    ["a plus that is not escaped", within("AA+A")],
    ["an escape of an escape", within("AA%252B")],
    ["an escape cut short", within("AAA%2")],
    ["an empty line", within("AAAA%0A")],
    ["a line that is too short", within("AAAA%0AAAAA")],
    ["a line that is too long", within("A".repeat(68))],
    ["base64url", within("AA_-")],
    ["no padding", within("AAA")],
    ["bits beyond the last octet", within("AAB%3D")],
    ["the headers of RFC 1421", within("Proc-Type: 4%0A%0AAAAA")],
  ])("C1: is not read with %s", (_name, value) => {
    expect(parseEscapedPem(value)).toBeUndefined();
  });

  it("C10: is not read above 16 KiB", () => {
    expect(parseEscapedPem(formatEscapedPem(new Uint8Array(16_384)))).toHaveLength(16_384);
    expect(parseEscapedPem(formatEscapedPem(new Uint8Array(16_385)))).toBeUndefined();
  });
});
