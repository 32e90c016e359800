import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { addTime } from "@/lib/domain/values";
import {
  type CertificateAuthority,
  makeCertificateAuthority,
  readCertificateAuthority,
} from "./certificate-authority";
import type { CertificateOrder } from "./certificate-order";
import { revoke } from "./certificate-status";
import type { DefectIn, DefectName } from "./defects";
import {
  type Alter,
  type CertificateKind,
  type Draft,
  issueTppCertificates,
  ORGANIZATION_IDENTIFIER,
  partsOf,
  qcCompliance,
  qcStatements,
  qcType,
  statementOf,
  type TppCertificateRequest,
  type TppCertificates,
  writtenRole,
} from "./tpp-certificates";
import {
  BasicConstraintsExtension,
  type CertificateParts,
  distinguishedName,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeRsaKeys,
} from "./x509";

/** A file as the TPP's command names it, in PEM. */
export type IssuedFile = { readonly name: string; readonly text: string };

type Bank = { readonly dataDir: string; readonly webUrl: string; readonly now: Date };

/**
 * The certificates of an order, of the CA that the server has taken up at its start; it is not renewed
 * here, since the bank's clock may have been moved. Throws an Error when there is no CA.
 */
export async function issuedFiles(
  { organisation, days, defect }: CertificateOrder,
  { dataDir, webUrl, now }: Bank,
): Promise<readonly IssuedFile[]> {
  const directory = join(dataDir, "ca");
  const authority = await readCertificateAuthority(directory);
  if (authority === undefined) throw new Error(`sandbox CA: ${directory} lacks ca.pem`);
  const notAfter = addTime(now, days, "day");
  const request = { ...organisation, now, notAfter, statusUrl: `${webUrl}/sandbox` };
  const made = await issueSandboxCertificates({ authority, directory }, request, defect);
  return [
    { name: "qwac.pem", text: made.qwacPem },
    { name: "qwac.key", text: made.qwacKeyPem },
    { name: "qseal.pem", text: made.qsealPem },
    { name: "qseal.key", text: made.qsealKeyPem },
    { name: "ca.pem", text: made.caPem },
  ];
}

type Issuer = {
  readonly authority: CertificateAuthority;
  /** Where the CA keeps what it has revoked. */
  readonly directory: string;
};

/** Certificates of a TPP of which one has a defect, or none. Throws an Error on an unfit id. */
export async function issueSandboxCertificates(
  { authority, directory }: Issuer,
  request: TppCertificateRequest,
  defect?: DefectIn,
): Promise<TppCertificates> {
  if (defect === undefined) return issueTppCertificates(authority, request);
  const made = await issueTppCertificates(authority, request, (draft) =>
    draft.kind === defect.in ? alterations[defect.defect](draft) : draft,
  );
  if (defect.defect === "revoked") {
    const { serialNumber } = new X509Certificate(made[`${defect.in}Pem`]);
    await revoke(directory, { serialNumber: BigInt(`0x${serialNumber}`), at: request.now });
  }
  return made;
}

/** An arc of examples (X.660 2.999), so that no implementation knows it. */
const NOBODYS_EXTENSION = "2.999.1";
const ROLE_OF_NOBODY = { id: "0.4.0.19495.1.99", name: "PSP_XX" } as const;

/** How each defect is made. What makes it a revoked one happens after it is issued. */
const alterations: Readonly<Record<DefectName, Alter>> = {
  expired: (draft) => valid(draft, -31, -1),
  "not-yet-valid": (draft) => valid(draft, 1, 731),
  revoked: (draft) => draft,
  "wrong-role": (draft) => asked(draft, { roles: ["PSP_AS"] }),
  "no-role": (draft) => stated(draft, statementOf(draft.request, [])),
  "unknown-role": (draft) => stated(draft, statementOf(draft.request, [ROLE_OF_NOBODY])),
  "role-name-mismatch": (draft) =>
    stated(draft, statementOf(draft.request, [{ ...writtenRole("PSP_AI"), name: "PSP_PI" }])),
  "no-statement": (draft) => stated(draft),
  "statement-twice": (draft) =>
    stated(draft, statementOf(draft.request), statementOf(draft.request)),
  "no-qc-statements": (draft) => {
    const { qcStatements: _, ...extensions } = draft.parts.extensions;
    return changed(draft, { extensions });
  },
  "no-qc-type": (draft) =>
    extended(draft, { qcStatements: qcStatements(qcCompliance(), statementOf(draft.request)) }),
  "no-qc-compliance": (draft) =>
    extended(draft, { qcStatements: qcStatements(typeOf(draft), statementOf(draft.request)) }),
  "qseal-as-qwac": (draft) => ofKind(draft, "qseal"),
  "qwac-as-qseal": (draft) => ofKind(draft, "qwac"),
  "self-signed": (draft) => ({
    ...draft,
    issuer: { name: draft.parts.subject, keys: draft.keys },
  }),
  "unknown-ca": async (draft) => ({
    ...draft,
    issuer: await makeCertificateAuthority(draft.request.now),
  }),
  "issued-by-tpp": async (draft) => ({
    ...draft,
    issuer: await anotherTpp(draft.request),
  }),
  "ca-as-leaf": (draft) =>
    extended(draft, { basicConstraints: new BasicConstraintsExtension(true, undefined, true) }),
  "weak-key": async (draft) => {
    const keys = await makeRsaKeys(1_024);
    return { ...changed(draft, { publicKey: keys.publicKey }), keys };
  },
  sha1: (draft) => changed(draft, { hash: "SHA-1" }),
  "no-organisation-identifier": (draft) => named(draft, draft.request.name),
  "two-organisation-identifiers": (draft) =>
    named(draft, draft.request.name, draft.request.id, anotherId(draft.request)),
  "bad-organisation-identifier": (draft) => named(draft, draft.request.name, "VATRO-12345678"),
  "no-organisation-name": (draft) => named(draft, undefined, draft.request.id),
  "other-organisation": (draft) =>
    asked(draft, { id: anotherId(draft.request), name: `Not ${draft.request.name}` }),
  "no-client-auth": (draft) =>
    extended(draft, { extendedKeyUsage: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1"]) }),
  "no-digital-signature": (draft) =>
    extended(draft, { keyUsage: new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true) }),
  "critical-extension": (draft) =>
    extended(draft, { unknown: new Extension(NOBODYS_EXTENSION, true, Uint8Array.of(5, 0)) }),
};

function changed(draft: Draft, parts: Partial<CertificateParts>): Draft {
  return { ...draft, parts: { ...draft.parts, ...parts } };
}

/** Extensions take the place of the good ones of their name, or are added. */
function extended(draft: Draft, extensions: CertificateParts["extensions"]): Draft {
  return changed(draft, { extensions: { ...draft.parts.extensions, ...extensions } });
}

/** All that a request decides, as of another request. */
function asked(draft: Draft, request: Partial<TppCertificateRequest>): Draft {
  const parts = partsOf[draft.kind]({ ...draft.request, ...request }, draft.keys.publicKey);
  return { ...draft, parts };
}

function ofKind(draft: Draft, kind: CertificateKind): Draft {
  return { ...draft, parts: partsOf[kind](draft.request, draft.keys.publicKey) };
}

/** In days from now. */
function valid(draft: Draft, from: number, until: number): Draft {
  const { now } = draft.request;
  return changed(draft, {
    notBefore: addTime(now, from, "day"),
    notAfter: addTime(now, until, "day"),
  });
}

function stated(draft: Draft, ...statements: readonly Uint8Array[]): Draft {
  const all = [qcCompliance(), typeOf(draft), ...statements];
  return extended(draft, { qcStatements: qcStatements(...all) });
}

function typeOf({ kind }: Draft): Uint8Array {
  return qcType(kind === "qwac" ? "web" : "eseal");
}

function named(draft: Draft, name: string | undefined, ...ids: readonly string[]): Draft {
  const subject = distinguishedName(
    ["C", draft.request.id.slice(3, 5)],
    ...(name === undefined ? [] : [["O", name] as const]),
    ...ids.map((id) => [ORGANIZATION_IDENTIFIER, id] as const),
    ["CN", draft.request.name],
  );
  return changed(draft, { subject });
}

async function anotherTpp(request: TppCertificateRequest) {
  const keys = await makeRsaKeys();
  const { subject } = partsOf.qwac({ ...request, id: anotherId(request) }, keys.publicKey);
  return { name: subject, keys };
}

/** Of the same competent authority, and of nobody. */
function anotherId({ id }: TppCertificateRequest): string {
  return `${id}-OTHER`;
}
