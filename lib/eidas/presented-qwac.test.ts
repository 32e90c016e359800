import { beforeAll, describe, expect, it } from "vitest";
import { after as later } from "@/lib/domain/clock";
import { formatClientCert } from "./client-cert";
import { namedTpp, presentedQwac } from "./presented-qwac";
import { checkQseal } from "./qseal";
import { type Issuing, now, startIssuing } from "./testing/issuing";
import { refusal } from "./testing/refusal";

let issuing: Issuing;
let header: string;
beforeAll(async () => {
  issuing = await startIssuing();
  header = formatClientCert(await issuing.qwac());
});

describe("whom a certificate names, before anything is judged", () => {
  it("is the TPP that it is believed for", () => {
    expect(namedTpp(header, issuing.anchors)).toBe("PSDRO-NBR-1234567");
    expect(presentedQwac(header, issuing.anchors, now).tpp.id).toBe("PSDRO-NBR-1234567");
  });

  it("is told of one that has run out: what time it is, is not known yet", () => {
    const late = later(now, 4_000, "day");
    expect(() => presentedQwac(header, issuing.anchors, late)).toThrow();
    expect(namedTpp(header, issuing.anchors)).toBe("PSDRO-NBR-1234567");
  });

  it("is nobody, for a stranger", () => {
    expect(namedTpp(header, [])).toBeUndefined();
  });

  it.each([undefined, "", "x", ":AAAA:", `:${"A".repeat(40_000)}:`])(
    "is nobody, for what is no certificate",
    (value) => {
      expect(namedTpp(value, issuing.anchors)).toBeUndefined();
    },
  );
});

describe("a certificate that is presented again in the same text", () => {
  it("is judged by the clock of each request", () => {
    const { notAfter } = presentedQwac(header, issuing.anchors, now).certificate;
    const late = later(notAfter, 1, "second");
    for (const at of [now, late, now, late]) {
      const fault = refusal(() => presentedQwac(header, issuing.anchors, at));
      expect(fault?.code).toBe(at === now ? undefined : "CERTIFICATE_EXPIRED");
    }
  });

  it("is believed for its own list of issuers only", () => {
    expect(refusal(() => presentedQwac(header, issuing.anchors, now))).toBeUndefined();
    expect(refusal(() => presentedQwac(header, [], now))?.code).toBe("CERTIFICATE_INVALID");
  });

  it("is a stranger's each time when it was a stranger's", () => {
    const stranger = formatClientCert(new Uint8Array([0x30, 0x00]));
    for (const value of [stranger, header, stranger]) {
      const fault = refusal(() => presentedQwac(value, issuing.anchors, now));
      expect(fault?.code).toBe(value === header ? undefined : "CERTIFICATE_INVALID");
    }
  });

  it("is no seal in the text of a QWAC, whose header has another form", () => {
    const qwac = presentedQwac(header, issuing.anchors, now);
    const asked = () => checkQseal(header, qwac, issuing.anchors, now);
    expect(refusal(asked)?.text).toContain("it is in colons");
    expect(refusal(asked)?.text).toContain("it is in colons");
  });
});
