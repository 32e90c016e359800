import type { CertificateAuthority } from "./certificate-authority";
import {
  type CertificateParts,
  certificatePem,
  type Issuer,
  issueCertificate,
} from "./issue-certificate";
import { makeRsaKeys, privateKeyPem } from "./key-pairs";
import { type CertificateKind, partsOf, type TppCertificateRequest } from "./tpp-certificate-parts";

/** PEM throughout; the private keys as PKCS #8. */
export type TppCertificates = {
  readonly qwacPem: string;
  readonly qwacKeyPem: string;
  readonly qsealPem: string;
  readonly qsealKeyPem: string;
  readonly caPem: string;
};

/** A certificate about to be issued. */
export type Draft = {
  readonly kind: CertificateKind;
  readonly request: TppCertificateRequest;
  readonly issuer: Issuer;
  readonly keys: CryptoKeyPair;
  readonly parts: CertificateParts;
};

/** Changes a draft on its way to be issued: that is how certificates come about that must be refused. */
export type Alter = (draft: Draft) => Draft | Promise<Draft>;

/** A QWAC and a QSealC for one TPP, each with an RSA key of its own. Throws an Error on an unfit id. */
export async function issueTppCertificates(
  authority: CertificateAuthority,
  request: TppCertificateRequest,
  alter: Alter = (draft) => draft,
): Promise<TppCertificates> {
  const issue = async (kind: CertificateKind) => {
    const keys = await (request.makeKeys ?? makeRsaKeys)();
    const parts = partsOf[kind](request, keys.publicKey);
    const draft = await alter({ kind, request, issuer: authority, keys, parts });
    return {
      pem: certificatePem(await issueCertificate(draft.issuer, draft.parts)),
      key: await privateKeyPem(draft.keys.privateKey),
    };
  };
  const [qwac, qseal] = await Promise.all([issue("qwac"), issue("qseal")]);
  return {
    qwacPem: qwac.pem,
    qwacKeyPem: qwac.key,
    qsealPem: qseal.pem,
    qsealKeyPem: qseal.key,
    caPem: authority.certificatePem,
  };
}
