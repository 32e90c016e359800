import { beforeAll, describe, expect, it } from "vitest";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeRsaKeys, privateKeyPem } from "@/lib/sandbox/key-pairs";
import { checkQseal } from "../qseal";
import { checkQwac } from "../qwac";
import { type Issuing, issueDer, now, pem, startIssuing } from "../testing/issuing";
import { refusal } from "../testing/refusal";
import { type ListedService, listXml, signedList } from "../testing/trusted-list";
import { readTrustedList } from "./trusted-list";

let issuing: Issuing;
let key: string;
let strangersKey: string;
let signersPem: string;
let listed: ListedService;

beforeAll(async () => {
  issuing = await startIssuing();
  const [operator, stranger] = await Promise.all([makeRsaKeys(), makeRsaKeys()]);
  const name = distinguishedName(["CN", "Scheme operator"]);
  const own = await issueDer({ name, keys: operator }, authorityParts(name, operator, now));
  signersPem = pem(own);
  [key, strangersKey] = await Promise.all([
    privateKeyPem(operator.privateKey),
    privateKeyPem(stranger.privateKey),
  ]);
  listed = { certificate: derOf(issuing.authority.certificatePem) };
});

const derOf = (text: string) =>
  new Uint8Array(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ""), "base64"));
const read = (xml: string) => readTrustedList({ xml, signersPem, now });
const signed = (...services: readonly ListedService[]) =>
  signedList(listXml({ services }), { key });
const base64 = (der: Uint8Array) => Buffer.from(der).toString("base64");

describe("a trusted list makes issuers believed", () => {
  it("granted for websites and for seals: both kinds of certificates", async () => {
    const anchors = read(signed(listed));
    const qwac = checkQwac(await issuing.qwac(), anchors, now);
    const seal = checkQseal(base64(await issuing.qseal()), qwac, anchors, now);
    expect(seal.issuer).toEqual(qwac.certificate.issuer);
  });

  it("signed with RSASSA-PSS, as some states do", () => {
    const xml = signedList(listXml({ services: [listed] }), { key, hash: "pss" });
    expect(read(xml)).toHaveLength(1);
  });

  it("granted for seals alone: its QWAC is not believed, its QSealC is", async () => {
    const anchors = read(signed({ ...listed, purposes: ["ForeSeals"] }));
    const qwac = checkQwac(await issuing.qwac(), issuing.anchors, now);
    expect(checkQseal(base64(await issuing.qseal()), qwac, anchors, now).isAuthority).toBe(false);
    const der = await issuing.qwac();
    expect(refusal(() => checkQwac(der, anchors, now))?.text).toContain("trusted issuer");
  });

  it("granted for websites alone: its QSealC is not believed", async () => {
    const anchors = read(signed({ ...listed, purposes: ["ForWebSiteAuthentication"] }));
    const qwac = checkQwac(await issuing.qwac(), anchors, now);
    const der = await issuing.qseal();
    expect(refusal(() => checkQseal(base64(der), qwac, anchors, now))?.code).toBe(
      "CERTIFICATE_INVALID",
    );
  });

  it("others on the list are passed over", async () => {
    const other = { certificate: derOf((await makeCertificateAuthority(now)).certificatePem) };
    const anchors = read(
      signed(
        listed,
        { ...other, status: "withdrawn" },
        { ...other, type: "TSA/QTST" },
        { ...other, purposes: ["ForeSignatures"] },
        { ...other, purposes: [] },
      ),
    );
    expect(anchors.map(({ x509 }) => x509.raw)).toEqual([Buffer.from(listed.certificate)]);
  });
});

describe("a trusted list is refused", () => {
  it.each<readonly [string, () => string, string]>([
    ["without a signature", () => listXml({ services: [listed] }), "has not exactly one signature"],
    [
      "signed by somebody else",
      () => signedList(listXml({ services: [listed] }), { key: strangersKey }),
      "is not signed by any",
    ],
    [
      "changed after it was signed",
      () => signed(listed).replace(">5<", ">6<"),
      "is not signed by any",
    ],
    [
      "with something added after it was signed",
      () => signed(listed).replace("</TSPServices>", "<TSPService/></TSPServices>"),
      "is not signed by any",
    ],
    [
      "C11: signed with SHA-1",
      () => signedList(listXml({ services: [listed] }), { key, hash: "sha1" }),
      "is not signed by any",
    ],
    [
      "C11: whose digest is of SHA-1",
      () => signedList(listXml({ services: [listed] }), { key, digest: "sha1" }),
      "is not signed by any",
    ],
    [
      "signed in part",
      () => {
        const xpaths = ["/*/*[local-name(.)='SchemeInformation']"];
        return signedList(listXml({ services: [listed] }), { key, xpaths });
      },
      "is signed only in part",
    ],
    [
      "X5: with a document type",
      () =>
        signed(listed).replace("<TrustServiceStatusList", "<!DOCTYPE a><TrustServiceStatusList"),
      "has a document type",
    ],
    [
      "X5: with more characters than any list has",
      () => signed(listed).padEnd(20_000_001),
      "is too large",
    ],
    ["that is not well-formed", () => "<a><b></a>", "is not well-formed XML"],
    ["that is no XML", () => "-----BEGIN", "has not exactly one signature"],
    [
      "of another namespace",
      () => signedList(listXml({ services: [listed], namespace: "urn:x" }), { key }),
      "is signed only in part",
    ],
    [
      "that is out of date",
      () => signedList(listXml({ services: [listed], nextUpdate: now.toISOString() }), { key }),
      "is out of date",
    ],
    [
      "that is closed",
      () => signedList(listXml({ services: [listed], nextUpdate: "" }), { key }),
      "is closed",
    ],
    [
      "without a granted issuer",
      () => signed({ ...listed, status: "withdrawn" }),
      "names no granted",
    ],
    [
      "with an issuer that is no certificate",
      () => signed({ certificate: new Uint8Array([1, 2, 3]) }),
      "has an unfit issuer",
    ],
  ])("%s", (_name, xml, reason) => {
    expect(() => read(xml())).toThrow(reason);
  });

  it("when nobody is named who may have signed it", () => {
    const given = { xml: signed(listed), signersPem: "operator", now };
    expect(() => readTrustedList(given)).toThrow("cannot be judged: its signers' PEM is empty");
  });
});
