import { beforeAll, describe, expect, it } from "vitest";
import { after as later } from "@/lib/domain/clock";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { psd2Statement, writtenRole } from "@/lib/sandbox/qc-statements-encode";
import { checkQwac } from "./qwac";
import {
  type Issuing,
  issueDer,
  now,
  pem,
  qcExtension,
  request,
  startIssuing,
} from "./testing/issuing";
import { notTrusted, refusal } from "./testing/refusal";
import { parseTrustAnchors, type TrustAnchors } from "./trust";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

const check = (der: Uint8Array | undefined, at = now) => checkQwac(der, issuing.anchors, at);

describe("a QWAC that is accepted", () => {
  it("names the TPP: organizationIdentifier, name, roles and competent authority", async () => {
    const der = await issuing.qwac();
    expect(check(der).tpp).toEqual({
      id: "PSDRO-NBR-1234567",
      name: "Example TPP SRL",
      roles: ["PSP_PI", "PSP_AI"],
      authorityId: "RO-NBR",
      authorityName: "National Bank of Romania",
    });
    expect(check(der).thumbprint).toMatch(/^[\w-]{43}$/);
  });

  it("is read once", async () => {
    const der = await issuing.qwac();
    expect(check(Uint8Array.from(der)).certificate).toBe(check(der).certificate);
  });

  it("may have a name beyond ASCII", async () => {
    const subject = distinguishedName(["O", "Bancă & Țară"], ["2.5.4.97", request.id]);
    expect(check(await issuing.qwac({ subject })).tpp.name).toBe("Bancă & Țară");
  });

  it("may hold the PSD2 statement in place of the list, when its policy is one of QWACs", async () => {
    const statement = psd2Statement([writtenRole("PSP_AI")], "National Bank of Romania", "RO-NBR");
    const der = await issuing.qwac({ extensions: qcExtension(statement) });
    expect(check(der).tpp.roles).toEqual(["PSP_AI"]);
  });
});

describe("the period of validity", () => {
  const notBefore = later(now, -10, "day");
  const notAfter = later(now, 10, "day");

  it.each([
    ["a second before it begins: refused", later(notBefore, -1, "second"), "CERTIFICATE_EXPIRED"],
    ["at its first second: accepted", notBefore, undefined],
    ["at its last second: accepted", notAfter, undefined],
    ["a second after its end: refused", later(notAfter, 1, "second"), "CERTIFICATE_EXPIRED"],
  ])("C3: %s", async (_when, instant, code) => {
    const der = await issuing.qwac({ notBefore, notAfter });
    const anchors = await anchorFor({ notBefore: later(now, -900, "day") });
    expect(refusal(() => checkQwac(der, anchors, instant))?.code).toBe(code);
  });

  it("C3: is asked again of a certificate already known", async () => {
    const der = await issuing.qwac({ notAfter });
    expect(refusal(() => check(der))).toBeUndefined();
    expect(refusal(() => check(der, later(now, 11, "day")))?.code).toBe("CERTIFICATE_EXPIRED");
  });

  it("C4: an issuer is believed within its own period only", async () => {
    const der = await issuing.qwac();
    const anchors = await anchorFor({ notAfter: now });
    expect(refusal(() => checkQwac(der, anchors, now))).toBeUndefined();
    expect(refusal(() => checkQwac(der, anchors, later(now, 1, "second")))).toEqual(notTrusted);
  });

  it("C4: an issuer that renewed its certificate is believed by the new one", async () => {
    const [former] = await anchorFor({ notAfter: later(now, -1, "day") });
    const [renewed] = issuing.anchors;
    const anchors = [former, renewed].filter((anchor) => anchor !== undefined);
    expect(checkQwac(await issuing.qwac(), anchors, now).tpp.id).toBe(request.id);
  });
});

describe("a stranger", () => {
  it("C2: without a certificate gets CERTIFICATE_MISSING", () => {
    const missing = { code: "CERTIFICATE_MISSING", text: "no client certificate was presented" };
    expect(refusal(() => check(undefined))).toEqual(missing);
  });
});

async function anchorFor(
  period: Partial<{ notBefore: Date; notAfter: Date }>,
): Promise<TrustAnchors> {
  const { name, keys } = issuing.authority;
  const der = await issueDer(issuing.authority, { ...authorityParts(name, keys, now), ...period });
  return parseTrustAnchors(pem(der));
}
