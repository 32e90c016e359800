import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { formatClientCert } from "@/lib/eidas/client-cert";
import { checkQwac, type Qwac } from "@/lib/eidas/qwac";
import { parseTrustAnchors, type TrustAnchors } from "@/lib/eidas/trust";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { type Issuer, issueCertificate } from "@/lib/sandbox/issue-certificate";
import { makeRsaKeys, privateKeyPem } from "@/lib/sandbox/key-pairs";
import { qsealParts, qwacParts } from "@/lib/sandbox/tpp-certificate-parts";
import { now } from "./tpp";

export type Seal = { readonly der: Uint8Array; readonly key: KeyObject };
export type SealName = "rsa" | "ec" | "ec384" | "otherTpp" | "expired" | "stranger" | "qwac";

/** A TPP with seals of every kind, good and bad, whose serial numbers are always the same. */
export type SealingTpp = {
  readonly anchors: TrustAnchors;
  readonly qwac: Qwac;
  readonly clientCert: string;
  readonly seals: Readonly<Record<SealName, Seal>>;
};

/** As they stand in keyId; the RSA seal's and the QWAC's. */
export const SERIAL = "5A7B9C01";
export const QWAC_SERIAL = "5A7B9C99";
export const ISSUER = "CN=Drawbridge Sandbox CA,O=Drawbridge Sandbox,C=RO";

const request = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"], now } as const;
const aDay = 86_400_000;

export async function makeSealingTpp(): Promise<SealingTpp> {
  const [authority, unknown] = await Promise.all([
    makeCertificateAuthority(now),
    makeCertificateAuthority(now),
  ]);
  const keys = await makeRsaKeys();
  const rsa = createPrivateKey(await privateKeyPem(keys.privateKey));
  const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
  const [p256, p384] = [ec("P-256"), ec("P-384")];
  const own = qsealParts(request, keys.publicKey);
  const other = qsealParts({ ...request, id: "PSDRO-NBR-8" }, keys.publicKey);
  const web = qwacParts(request, keys.publicKey);
  const yesterday = {
    notBefore: new Date(now.getTime() - 2 * aDay),
    notAfter: new Date(now.getTime() - aDay),
  };
  const issue = async (issuer: Issuer, parts: typeof own, serialNumber: string) =>
    new Uint8Array((await issueCertificate(issuer, { ...parts, serialNumber })).rawData);
  const qwac = await issue(authority, web, QWAC_SERIAL);
  const anchors = parseTrustAnchors(authority.certificatePem);
  return {
    anchors,
    qwac: checkQwac(qwac, anchors, now),
    clientCert: formatClientCert(qwac),
    seals: {
      rsa: { der: await issue(authority, own, SERIAL), key: rsa },
      ec: {
        der: await issue(authority, { ...own, publicKey: spki(p256) }, "5A7B9C02"),
        key: p256.privateKey,
      },
      ec384: {
        der: await issue(authority, { ...own, publicKey: spki(p384) }, "5A7B9C03"),
        key: p384.privateKey,
      },
      otherTpp: { der: await issue(authority, other, "5A7B9C04"), key: rsa },
      expired: { der: await issue(authority, { ...own, ...yesterday }, "5A7B9C05"), key: rsa },
      stranger: { der: await issue(unknown, own, SERIAL), key: rsa },
      qwac: { der: qwac, key: rsa },
    },
  };
}

function spki({ publicKey }: { readonly publicKey: KeyObject }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
}
