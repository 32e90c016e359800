import { X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "@/lib/domain/errors";
import { checkQseal, checkQwac, checkRole } from "@/lib/eidas/qwac-qsealc";
import { checkNotRevoked, revocation } from "@/lib/eidas/revocation";
import { parseTrustAnchors, type TrustAnchors } from "@/lib/eidas/trust";
import { type CertificateAuthority, loadCertificateAuthority } from "./certificate-authority";
import { issueSandboxCertificates } from "./certificate-issuing";
import { withOwnAuthority } from "./certificate-status";
import {
  certificatesWith,
  type DefectIn,
  type DefectName,
  defects,
  isDefect,
  refusalOf,
} from "./defects";
import { nextKeys } from "./testing";
import type { TppCertificates } from "./tpp-certificates";

const now = new Date("2027-03-01T12:00:00.000Z");
const SEAL = "TPP-Signature-Certificate";
const organisation = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"] } as const;
// To make keys takes most of the time.
const request = { ...organisation, now, makeKeys: nextKeys };

let data: string;
let directory: string;
let authority: CertificateAuthority;
let trustAnchors: TrustAnchors;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "drawbridge-defects-"));
  directory = join(data, "ca");
  authority = await loadCertificateAuthority(directory, now);
  trustAnchors = parseTrustAnchors(authority.certificatePem);
});
afterAll(() => rm(data, { recursive: true }));

const issue = (defective?: DefectIn) =>
  issueSandboxCertificates({ authority, directory }, request, defective);
const der = (pem: string) => new X509Certificate(pem).raw;

/** As the pipeline judges them, one after the other; undefined when nothing is wrong. */
async function refused({ qwacPem, qsealPem }: TppCertificates) {
  const asking = revocation({
    mode: "hard",
    fetch: () => Promise.reject(new Error("nobody is asked")),
    onFault: () => undefined,
  });
  const checking = { trustAnchors, revocation: withOwnAuthority(asking, directory) };
  try {
    const qwac = checkQwac(der(qwacPem), trustAnchors, now);
    await checkNotRevoked(checking, { certificate: qwac.certificate, hard: true, now });
    checkRole(qwac.tpp, "PSP_AI");
    const header = der(qsealPem).toString("base64");
    const certificate = checkQseal(header, qwac, trustAnchors, now);
    await checkNotRevoked(checking, { certificate, hard: true, now, path: SEAL });
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.faults[0];
  }
}

const defective: readonly DefectIn[] = Object.keys(defects)
  .filter(isDefect)
  .flatMap((defect) => certificatesWith(defect).map((kind) => ({ defect, in: kind })));

describe("certificates with a defect are refused as the table says", () => {
  it("without one they are accepted", async () => {
    expect(await refused(await issue())).toBeUndefined();
  });

  it.each(defective)("$defect in the $in", async (one) => {
    const wanted = refusalOf(one);
    const fault = await refused(await issue(one));
    expect(fault?.code).toBe(wanted?.code);
    expect(fault?.text.slice(0, wanted?.text.length)).toBe(wanted?.text);
    expect(fault?.path).toBe(one.in === "qseal" ? SEAL : undefined);
  });

  it("a revoked certificate leaves the others good", async () => {
    await issue({ defect: "revoked", in: "qwac" });
    expect(await refused(await issue())).toBeUndefined();
  });
});

describe("the table of defects", () => {
  it("has every defect in one certificate at least, and knows no other", () => {
    expect(defective.length).toBeGreaterThan(Object.keys(defects).length);
    expect(new Set(defective.map(({ defect }) => defect)).size).toBe(Object.keys(defects).length);
    expect(["nonsense", "toString", ""].filter(isDefect)).toEqual([]);
  });

  it.each<readonly [DefectName, DefectIn["in"]]>([
    ["wrong-role", "qseal"],
    ["other-organisation", "qwac"],
  ])("%s makes no sense in the %s", (defect, kind) => {
    expect(certificatesWith(defect)).not.toContain(kind);
    expect(refusalOf({ defect, in: kind })).toBeUndefined();
  });
});
