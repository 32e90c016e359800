import { beforeAll, describe, expect, it } from "vitest";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeRsaKeys, privateKeyPem } from "@/lib/sandbox/key-pairs";
import { issueDer, now, pem } from "../testing/issuing";
import { listXml, signedList } from "../testing/trusted-list";
import { readTrustedList } from "./trusted-list";

type Signer = { readonly key: string; readonly certificatePem: string };
let operator: Signer;
let stranger: Signer;
/** Issuers on the list, and of those who are not: what a TPP of theirs would be believed for. */
let listed: Uint8Array;
let evil: Uint8Array;

beforeAll(async () => {
  [operator, stranger] = await Promise.all([signer("Scheme operator"), signer("Stranger")]);
  [listed, evil] = await Promise.all([issuer(), issuer()]);
});

async function signer(commonName: string): Promise<Signer> {
  const keys = await makeRsaKeys();
  const name = distinguishedName(["CN", commonName]);
  const own = await issueDer({ name, keys }, authorityParts(name, keys, now));
  return { key: await privateKeyPem(keys.privateKey), certificatePem: pem(own) };
}

async function issuer(): Promise<Uint8Array> {
  const { certificatePem } = await makeCertificateAuthority(now);
  return new Uint8Array(Buffer.from(certificatePem.replace(/-----[A-Z ]+-----/g, ""), "base64"));
}

const BY_ID = "//*[@Id='list']";

const read = (xml: string) => readTrustedList({ xml, signersPem: operator.certificatePem, now });
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

describe("X5: a signature of a trusted list speaks for what it covers, wherever that is put", () => {
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
  ])("%s within a word, added afterwards, does not change the word", (_what, added) => {
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

describe("X5: the key is that of the signer who was named to the bank", () => {
  it.each<readonly [string, () => string]>([
    ["a stranger's certificate", () => stranger.certificatePem],
    ["the operator's certificate", () => operator.certificatePem],
  ])("and not the stranger's who has signed, though %s goes along", (_whose, certificatePem) => {
    const signing = { key: stranger.key, certificatePem: certificatePem() };
    const xml = signedList(listOf(evil), signing);
    expect(xml).toContain("<X509Certificate>");
    expect(() => read(xml)).toThrow("is not signed by any");
  });

  it("and a key of RSA is no password: HMAC with its certificate is no signature", () => {
    const xml = signedList(listOf(evil), { key: operator.certificatePem, hash: "hmac" });
    expect(xml).toContain("hmac-sha1");
    expect(() => read(xml)).toThrow("is not signed by any");
  });
});
