import type { Psd2Role } from "@/lib/domain/tpp";
import { addTime } from "@/lib/domain/values";
import type { CertificateAuthority } from "./certificate-authority";
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  type CertificateParts,
  CertificatePolicyExtension,
  CRLDistributionPointsExtension,
  certificatePem,
  distinguishedName,
  ExtendedKeyUsageExtension,
  Extension,
  type Issuer,
  issueCertificate,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeRsaKeys,
  objectId,
  type PublicKeyType,
  privateKeyPem,
  SubjectAlternativeNameExtension,
  sequence,
  utf8,
} from "./x509";

/** PEM throughout; the private keys as PKCS #8. */
export type TppCertificates = {
  readonly qwacPem: string;
  readonly qwacKeyPem: string;
  readonly qsealPem: string;
  readonly qsealKeyPem: string;
  readonly caPem: string;
};

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

export type TppCertificateRequest = {
  /** organizationIdentifier, e.g. `PSDRO-NBR-1234567`. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Psd2Role[];
  readonly now: Date;
  /** Country and short name of the competent authority; from the id when not given. */
  readonly authorityId?: string | undefined;
  readonly authorityName?: string | undefined;
  /** Where the TPP's redirect URIs lie; the sandbox's TPPs are on localhost. */
  readonly domain?: string | undefined;
  readonly notBefore?: Date;
  /** Where the CA answers for its certificates; they name no such place when not given. */
  readonly statusUrl?: string;
  /** Two years from now when not given. */
  readonly notAfter?: Date;
  /** A pair for each certificate; new ones when not given. */
  readonly makeKeys?: () => Promise<CryptoKeyPair>;
};

export type CertificateKind = "qwac" | "qseal";

export const ORGANIZATION_IDENTIFIER = "2.5.4.97";
const QC_STATEMENTS = "1.3.6.1.5.5.7.1.3";
const policies = { web: "0.4.0.19495.3.1", eseal: "0.4.0.194112.1.1" } as const;
const authorityNames: Readonly<Record<string, string>> = { "RO-NBR": "National Bank of Romania" };

export function qwacParts(
  request: TppCertificateRequest,
  publicKey: PublicKeyType,
): CertificateParts {
  const { domain = "localhost" } = request;
  const keyUsage = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment;
  return {
    ...commonParts(request, domain),
    publicKey,
    extensions: {
      basicConstraints: new BasicConstraintsExtension(false, undefined, true),
      keyUsage: new KeyUsagesExtension(keyUsage, true),
      // Server and client authentication.
      extendedKeyUsage: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]),
      subjectAltName: new SubjectAlternativeNameExtension([{ type: "dns", value: domain }]),
      certificatePolicies: new CertificatePolicyExtension([policies.web]),
      qcStatements: qcStatements(qcCompliance(), qcType("web"), statementOf(request)),
      ...statusAddresses(request),
    },
  };
}

export function qsealParts(
  request: TppCertificateRequest,
  publicKey: PublicKeyType,
): CertificateParts {
  const keyUsage = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation;
  return {
    ...commonParts(request, `${request.name} Seal`),
    publicKey,
    extensions: {
      basicConstraints: new BasicConstraintsExtension(false, undefined, true),
      keyUsage: new KeyUsagesExtension(keyUsage, true),
      certificatePolicies: new CertificatePolicyExtension([policies.eseal]),
      qcStatements: qcStatements(qcCompliance(), qcType("eseal"), statementOf(request)),
      ...statusAddresses(request),
    },
  };
}

/** Statements of ETSI EN 319 412-5 and TS 119 495, each as DER; a certificate holds a list of them. */

const roleIds = {
  PSP_AS: "0.4.0.19495.1.1",
  PSP_PI: "0.4.0.19495.1.2",
  PSP_AI: "0.4.0.19495.1.3",
  PSP_IC: "0.4.0.19495.1.4",
} as const satisfies Record<Psd2Role, string>;

const qcTypes = {
  esign: "0.4.0.1862.1.6.1",
  eseal: "0.4.0.1862.1.6.2",
  web: "0.4.0.1862.1.6.3",
} as const;

/** What a good certificate of the kind says. */
export const partsOf = { qwac: qwacParts, qseal: qsealParts } as const;

function statusAddresses({
  statusUrl,
}: TppCertificateRequest): Readonly<Record<string, Extension>> {
  if (statusUrl === undefined) return {};
  return {
    authorityInfoAccess: new AuthorityInfoAccessExtension({ ocsp: [`${statusUrl}/ocsp`] }),
    crlDistributionPoints: new CRLDistributionPointsExtension([`${statusUrl}/crl`]),
  };
}

export function qcStatements(...statements: readonly Uint8Array[]): Extension {
  return new Extension(QC_STATEMENTS, false, new Uint8Array(sequence(...statements)));
}

function commonParts(request: TppCertificateRequest, commonName: string) {
  const { id, name, now, notBefore, notAfter } = request;
  return {
    subject: distinguishedName(
      ["C", authorityIdOf(id).slice(0, 2)],
      ["O", name],
      [ORGANIZATION_IDENTIFIER, id],
      ["CN", commonName],
    ),
    notBefore: notBefore ?? addTime(now, -1, "hour"),
    notAfter: notAfter ?? addTime(now, 730, "day"),
  };
}

/** The PSD2 statement; other roles than the request's make one that must be refused. */
export function statementOf(
  request: TppCertificateRequest,
  roles: readonly WrittenRole[] = request.roles.map(writtenRole),
): Uint8Array {
  const { authorityId = authorityIdOf(request.id) } = request;
  const { authorityName = authorityNames[authorityId] ?? authorityId } = request;
  return psd2Statement(roles, authorityName, authorityId);
}

/** `RO-NBR` of `PSDRO-NBR-1234567`. */
function authorityIdOf(id: string): string {
  const [, authorityId] = /^PSD([A-Z]{2}-[A-Z]{2,8})-[\x21-\x7E]+$/.exec(id) ?? [];
  if (authorityId === undefined) throw new Error(`${id} is not of the form PSDRO-NBR-1234567`);
  return authorityId;
}

/** A role as it is written: its identifier and the name beside it. */
export type WrittenRole = { readonly id: string; readonly name: string };

export function writtenRole(role: Psd2Role): WrittenRole {
  return { id: roleIds[role], name: role };
}

export function qcCompliance(): Uint8Array {
  return sequence(objectId("0.4.0.1862.1.1"));
}

export function qcType(...types: readonly (keyof typeof qcTypes)[]): Uint8Array {
  const ids = types.map((type) => objectId(qcTypes[type]));
  return sequence(objectId("0.4.0.1862.1.6"), sequence(...ids));
}

export function psd2Statement(
  roles: readonly WrittenRole[],
  authorityName: string,
  authorityId: string,
): Uint8Array {
  const written = roles.map(({ id, name }) => sequence(objectId(id), utf8(name)));
  const info = sequence(sequence(...written), utf8(authorityName), utf8(authorityId));
  return sequence(objectId("0.4.0.19495.2"), info);
}
