import { beforeAll, describe, expect, it } from "vitest";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { distinguishedName, privateKeyPem } from "@/lib/sandbox/x509";
import { checkQseal, checkQwac } from "./qwac-qsealc";
import {
  type Issuing,
  issueDer,
  type ListedService,
  listXml,
  now,
  pem,
  refusal,
  signedList,
  startIssuing,
} from "./testing/issuing";
import { readAnchors, readTrustedList } from "./trusted-list";

type Signer = { readonly key: string; readonly certificatePem: string };

let issuing: Issuing;
let operator: Signer;
let stranger: Signer;
beforeAll(async () => {
  const signers = Promise.all([signer("Scheme operator"), signer("Stranger")]);
  [issuing, [operator, stranger]] = await Promise.all([startIssuing(), signers]);
});

async function signer(commonName: string): Promise<Signer> {
  const keys = await nextKeys();
  const name = distinguishedName(["CN", commonName]);
  const own = await issueDer({ name, keys }, authorityParts(name, keys, now));
  return { key: await privateKeyPem(keys.privateKey), certificatePem: pem(own) };
}

const derOf = (text: string) =>
  new Uint8Array(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ""), "base64"));
const read = (xml: string) =>
  readTrustedList({ xml, signersPem: operator.certificatePem, now }).anchors;

describe("trusted list", () => {
  let key: string;
  let listed: ListedService;
  beforeAll(() => {
    ({ key } = operator);
    listed = { certificate: derOf(issuing.authority.certificatePem) };
  });

  const signed = (...services: readonly ListedService[]) =>
    signedList(listXml({ services }), { key });
  const base64 = (der: Uint8Array) => Buffer.from(der).toString("base64");

  describe("issuers of a trusted list are trusted", () => {
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

    it("granted for seals alone: its QWAC is not trusted, its QSealC is", async () => {
      const anchors = read(signed({ ...listed, purposes: ["ForeSeals"] }));
      const qwac = checkQwac(await issuing.qwac(), issuing.anchors, now);
      expect(checkQseal(base64(await issuing.qseal()), qwac, anchors, now).isAuthority).toBe(false);
      const der = await issuing.qwac();
      expect(refusal(() => checkQwac(der, anchors, now))?.text).toContain("trusted issuer");
    });

    it("granted for websites alone: its QSealC is not trusted", async () => {
      const anchors = read(signed({ ...listed, purposes: ["ForWebSiteAuthentication"] }));
      const qwac = checkQwac(await issuing.qwac(), anchors, now);
      const der = await issuing.qseal();
      expect(refusal(() => checkQseal(base64(der), qwac, anchors, now))?.code).toBe(
        "CERTIFICATE_INVALID",
      );
    });

    it("other services on the list are ignored", async () => {
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
      [
        "without a signature",
        () => listXml({ services: [listed] }),
        "has not exactly one signature",
      ],
      [
        "signed by somebody else",
        () => signedList(listXml({ services: [listed] }), { key: stranger.key }),
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
      ["that is no XML", () => "-----BEGIN", "is not well-formed XML"],
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
        "with an unreadable issuer certificate",
        () => signed({ certificate: new Uint8Array([1, 2, 3]) }),
        "has an unfit issuer",
      ],
    ])("%s", (_name, xml, reason) => {
      expect(() => read(xml())).toThrow(reason);
    });

    it("when no list signer is configured", () => {
      const given = { xml: signed(listed), signersPem: "operator", now };
      expect(() => readTrustedList(given)).toThrow("cannot be judged: its signers' PEM is empty");
    });
  });
});

describe("wrapping", () => {
  let listed: Uint8Array;
  let evil: Uint8Array;
  beforeAll(async () => {
    const issuer = async () => derOf((await makeCertificateAuthority(now)).certificatePem);
    [listed, evil] = await Promise.all([issuer(), issuer()]);
  });

  const BY_ID = "//*[@Id='list']";

  const issuers = (xml: string) => read(xml).map(({ x509 }) => x509.raw);
  const listOf = (certificate: Uint8Array, status = "granted") =>
    listXml({ services: [{ certificate, status }] });
  const withoutProlog = (xml: string) => xml.replace(/^<\?xml[^>]*\?>\s*/, "");
  const signatureOf = (xml: string) => /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? "none";
  const byId = () => signedList(listOf(listed), { key: operator.key, xpaths: [BY_ID] });
  const evilAround = (inner: string) =>
    listOf(evil)
      .replace('Id="list"', 'Id="evil"')
      .replace("</TrustServiceStatusList>", `${inner}</TrustServiceStatusList>`);

  describe("X5: only what the signature of a trusted list covers is read", () => {
    it("a signed list within another: nothing of the other is read", () => {
      const good = byId();
      const signature = signatureOf(good);
      const inner = withoutProlog(good).replace(signature, "");
      expect(issuers(evilAround(`${inner}${signature}`))).toEqual([Buffer.from(listed)]);
    });

    it.each<readonly [string, () => string, string]>([
      [
        "a list that is signed as a whole, within another",
        () => {
          const good = signedList(listOf(listed), { key: operator.key });
          const inner = withoutProlog(good).replace(signatureOf(good), "");
          return evilAround(`${inner}${signatureOf(good)}`);
        },
        "is not signed by any",
      ],
      [
        "a signed list with its signature in it, within another",
        () => evilAround(withoutProlog(byId())),
        "has not exactly one signature",
      ],
      [
        "two elements of the name that is signed",
        () => {
          const good = byId();
          const inner = withoutProlog(good).replace(signatureOf(good), "");
          const twice = evilAround(`${inner}${signatureOf(good)}`);
          return twice.replace('Id="evil"', 'Id="list"');
        },
        "is not signed by any",
      ],
      [
        "the signature somewhere else than in the root",
        () => {
          const good = signedList(listOf(listed), { key: operator.key });
          const signature = signatureOf(good);
          return good.replace(signature, "").replace("<TSPServices>", `<TSPServices>${signature}`);
        },
        "has not exactly one signature",
      ],
      [
        "a list that is signed twice, as a whole and by its name",
        () => signedList(listOf(listed), { key: operator.key, xpaths: ["/*", BY_ID] }),
        "is signed only in part",
      ],
      [
        "two signatures",
        () =>
          signedList(signedList(listOf(listed), { key: operator.key }), {
            key: operator.key,
          }),
        "has not exactly one signature",
      ],
    ])("%s is refused", (_what, xml, reason) => {
      expect(() => read(xml())).toThrow(reason);
    });

    it.each<readonly [string, string]>([
      ["a comment", "<!-- -->"],
      ["a comment that ends the word for some", "<!--</ServiceStatus>-->"],
      ["CDATA", "<![CDATA[]]>"],
      ["a processing instruction", "<?x y?>"],
    ])("%s added within a text does not change the text", (_what, added) => {
      const split = (xml: string) =>
        xml.replace("Svcstatus/withdrawn", `Svcstatus/${added}withdrawn`);
      const withdrawn = signedList(listOf(evil, "withdrawn"), { key: operator.key });
      expect(() => read(withdrawn)).toThrow("names no granted");
      expect(() => read(split(withdrawn))).toThrow(/names no granted|is not signed by any/);
      const prefixed = signedList(listOf(evil, "un/granted"), { key: operator.key });
      const cut = prefixed.replace("un/granted", `${added}un/${added}granted`);
      expect(() => read(cut)).toThrow(/names no granted|is not signed by any/);
    });
  });

  describe("X5: the key is that of the configured signer", () => {
    it.each<readonly [string, () => string]>([
      ["a stranger's certificate", () => stranger.certificatePem],
      ["the operator's certificate", () => operator.certificatePem],
    ])("and not that of an unknown signer, though %s is included", (_whose, certificatePem) => {
      const signing = { key: stranger.key, certificatePem: certificatePem() };
      const xml = signedList(listOf(evil), signing);
      expect(xml).toContain("<X509Certificate>");
      expect(() => read(xml)).toThrow("is not signed by any");
    });

    it("and an RSA key is no HMAC secret: an HMAC with its certificate is no signature", () => {
      const xml = signedList(listOf(evil), { key: operator.certificatePem, hash: "hmac" });
      expect(xml).toContain("hmac-sha1");
      expect(() => read(xml)).toThrow("is not signed by any");
    });
  });
});

describe("read anchors", () => {
  let xml: string;
  let listSignersPem: string;
  beforeAll(() => {
    listSignersPem = operator.certificatePem;
    const certificate = issuing.anchors[0]?.x509.raw ?? Buffer.of();
    xml = signedList(listXml({ services: [{ certificate }] }), { key: operator.key });
  });

  const anchorsIn = (text: string) => readAnchors({ text, listSignersPem, now });

  it("C4: a file of issuers is PEM or a trusted list, with a byte order mark or without", () => {
    const issuer = issuing.anchors[0]?.thumbprint;
    for (const text of [issuing.authority.certificatePem, xml, `\uFEFF${xml}`]) {
      expect(anchorsIn(text).map(({ thumbprint }) => thumbprint)).toEqual([issuer]);
    }
  });

  it("C4: a trusted list is trusted only with a configured signer", () => {
    const asked = () => readAnchors({ text: xml, listSignersPem: undefined, now });
    expect(asked).toThrow("a trusted list is believed only with TRUSTED_LIST_SIGNERS");
  });

  it("X5: a trusted list in UTF-16, or a malformed one, is refused with the reason", () => {
    const misread = Buffer.from(`\uFEFF${xml}`, "utf16le").toString("utf8");
    expect(() => anchorsIn(misread)).toThrow("trust anchors: there is no PEM certificate");
    expect(() => anchorsIn("<a/>")).toThrow("the trusted list has not exactly one signature");
  });
});
