import { beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "@/lib/domain/rejection";
import { AuthorityInfoAccessExtension } from "@/lib/sandbox/x509";
import type { Certificate } from "./certificate";
import { checkNotRevoked } from "./not-revoked";
import { checkQwac } from "./qwac";
import type { Verdict } from "./revocation/revocation";
import { type Issuing, now, startIssuing } from "./testing/issuing";

let issuing: Issuing;
let qwac: Certificate;
let silent: Certificate;
beforeAll(async () => {
  issuing = await startIssuing();
  const access = new AuthorityInfoAccessExtension({ ocsp: ["http://ocsp.example/"] });
  const read = (der: Uint8Array) => checkQwac(der, issuing.anchors, now).certificate;
  qwac = read(await issuing.qwac({ extensions: { access } }));
  silent = read(await issuing.qwac());
});

/** What ends the request when this is the verdict. */
async function told(verdict: Verdict, certificate = qwac, path?: string) {
  const revocation = { check: async () => verdict };
  const asked = { certificate, hard: false, now, ...(path !== undefined && { path }) };
  try {
    return await checkNotRevoked({ revocation, trustAnchors: issuing.anchors }, asked);
  } catch (error) {
    if (error instanceof Rejection) return { status: error.status, faults: error.faults };
    throw error;
  }
}

const refused = (code: string, text: string, more = {}) => ({
  status: 401,
  faults: [{ code, text, ...more }],
});

describe("C5: a certificate whose issuer", () => {
  it("stands by it goes on", async () => {
    expect(await told("counts")).toBeUndefined();
  });

  it("has revoked it is refused, where it came in a header with its name", async () => {
    const text = "certificate has been revoked by its issuer";
    expect(await told("revoked")).toEqual(refused("CERTIFICATE_REVOKED", text));
    const path = "TPP-Signature-Certificate";
    expect(await told("revoked", qwac, path)).toEqual(
      refused("CERTIFICATE_REVOKED", text, { path }),
    );
  });

  it("could not tell is refused with the reason", async () => {
    expect(await told("untold")).toEqual(
      refused("CERTIFICATE_INVALID", "certificate's issuer could not tell whether it is revoked"),
    );
    expect(await told("untold", silent)).toEqual(
      refused("CERTIFICATE_INVALID", "certificate names no place that tells whether it is revoked"),
    );
  });

  it("is asked, with the certificate, its issuer, and how it is used", async () => {
    const asked: unknown[] = [];
    const revocation = {
      check: async (...given: readonly unknown[]): Promise<Verdict> => {
        asked.push(given);
        return "counts";
      },
    };
    const { anchors } = issuing;
    const use = { certificate: qwac, hard: true, now };
    await checkNotRevoked({ revocation, trustAnchors: anchors }, use);
    expect(asked).toEqual([
      [
        { certificate: qwac, issuer: anchors[0] },
        { hard: true, now },
      ],
    ]);
  });
});
