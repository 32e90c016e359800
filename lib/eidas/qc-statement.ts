import { ObjectIdentifier } from "asn1js";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { type Asn1, elements, objectId, readDer, unreadable } from "./asn1";
import { text } from "./asn1-text";
import { CertificateFault } from "./certificate-fault";
import { isPlainText, unusable } from "./distinguished-name";
import { shown } from "./shown";

/** ETSI TS 119 495 5.1: what the competent authority allows the TPP to do. */
export type Psd2Statement = {
  readonly roles: readonly Psd2Role[];
  readonly authorityName: string;
  readonly authorityId: string;
};

/** The qcStatements extension, as far as the checks need it. */
export type QcStatements = {
  /**
   * False when the extension holds the PSD2 statement itself in place of a list of statements, as
   * some issuers of test certificates write it. Such an extension has no room for a QcType.
   */
  readonly listed: boolean;
  /** QcCompliance: the issuer declares the certificate a qualified one. */
  readonly qualified: boolean;
  /** QcType, as object identifiers. */
  readonly types: readonly string[];
  readonly psd2: Psd2Statement | undefined;
};

const statementIds = {
  qcCompliance: "0.4.0.1862.1.1",
  qcType: "0.4.0.1862.1.6",
  psd2: "0.4.0.19495.2",
} as const;

const roleNames: Readonly<Record<string, Psd2Role>> = {
  "0.4.0.19495.1.1": "PSP_AS",
  "0.4.0.19495.1.2": "PSP_PI",
  "0.4.0.19495.1.3": "PSP_AI",
  "0.4.0.19495.1.4": "PSP_IC",
};

/** Reads the content of the extension 1.3.6.1.5.5.7.1.3. Throws a CertificateFault. */
export function readQcStatements(content: Uint8Array): QcStatements {
  const root = readDer(content);
  const listed = !(elements(root)[0] instanceof ObjectIdentifier);
  const statements = readStatements(listed ? elements(root) : [root]);
  const type = statements.get(statementIds.qcType);
  const psd2 = statements.get(statementIds.psd2);
  return {
    listed,
    qualified: statements.has(statementIds.qcCompliance),
    types: type === undefined ? [] : elements(type.info).map(objectId),
    psd2: psd2 === undefined ? undefined : readPsd2Statement(psd2.info),
  };
}

function readStatements(values: readonly Asn1[]): ReadonlyMap<string, { readonly info: Asn1 }> {
  const found = new Map<string, { readonly info: Asn1 }>();
  for (const value of values) {
    const [id, info, ...more] = elements(value);
    if (more.length > 0) throw unreadable("a qcStatement");
    if (found.has(objectId(id))) {
      throw new CertificateFault(`certificate has the qcStatement ${shown(objectId(id))} twice`);
    }
    found.set(objectId(id), { info });
  }
  return found;
}

function readPsd2Statement(info: Asn1): Psd2Statement {
  const [roles, authorityName, authorityId, ...more] = elements(info);
  if (more.length > 0) throw unreadable("PSD2 statement");
  const read = elements(roles).map(readRole);
  if (read.length === 0) throw new CertificateFault("PSD2 statement has no role");
  if (new Set(read).size < read.length)
    throw new CertificateFault("PSD2 statement has a role twice");
  return {
    roles: read,
    authorityName: plainText(authorityName, "nCAName"),
    authorityId: plainText(authorityId, "nCAId"),
  };
}

/** The identifier decides; a name that says otherwise would mislead whoever reads only the name. */
function readRole(value: Asn1): Psd2Role {
  const [id, name, ...more] = elements(value);
  const role = roleNames[objectId(id)];
  if (role === undefined || more.length > 0) {
    throw new CertificateFault(`PSD2 statement has an unknown role: ${shown(objectId(id))}`);
  }
  if (text(name) !== role) {
    throw new CertificateFault(
      `PSD2 role identifier and name disagree: ${objectId(id)} is ${role}, its name is ${shown(text(name))}`,
    );
  }
  return role;
}

function plainText(value: Asn1, what: string): string {
  const read = text(value);
  if (!isPlainText(read)) throw unusable(`PSD2 statement has an unusable ${what}`);
  return read;
}
