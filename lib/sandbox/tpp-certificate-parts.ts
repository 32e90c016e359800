import { after } from "@/lib/domain/clock";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { sequence } from "./der";
import { type CertificateParts, distinguishedName } from "./issue-certificate";
import {
  psd2Statement,
  qcCompliance,
  qcType,
  type WrittenRole,
  writtenRole,
} from "./qc-statements-encode";
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CertificatePolicyExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type PublicKeyType,
  SubjectAlternativeNameExtension,
} from "./x509";

export type TppCertificateRequest = {
  /** organizationIdentifier, e.g. `PSDRO-NBR-1234567`. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Psd2Role[];
  readonly now: Date;
  /** Country and short name of the competent authority; from the id when not given. */
  readonly authorityId?: string;
  readonly authorityName?: string;
  /** Where the TPP's redirect URIs lie; the sandbox's TPPs live on localhost. */
  readonly domain?: string;
  readonly notBefore?: Date;
  /** Where the CA answers for its certificates; they name no such place when not given. */
  readonly statusUrl?: string;
  /** Two years from now when not given. */
  readonly notAfter?: Date;
  /** A pair for each certificate; new ones when not given. */
  readonly makeKeys?: () => Promise<CryptoKeyPair>;
};

/** Which of a TPP's two certificates. */
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

/** The extension as a list of statements. */
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
    notBefore: notBefore ?? after(now, -1, "hour"),
    notAfter: notAfter ?? after(now, 730, "day"),
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
