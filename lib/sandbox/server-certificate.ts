import { createPrivateKey, X509Certificate as NodeCertificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { addTime } from "@/lib/domain/values";
import { replaceFile } from "@/lib/files";
import type { CertificateAuthority } from "./certificate-authority";
import { qsealParts } from "./tpp-certificates";
import {
  BasicConstraintsExtension,
  certificatePem,
  distinguishedName,
  ExtendedKeyUsageExtension,
  issueCertificate,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeEcKeys,
  privateKeyPem,
  SubjectAlternativeNameExtension,
} from "./x509";

/** PEM, as `tls.createSecureContext` takes it. */
export type ServerCertificate = { readonly cert: string; readonly key: string };

const RENEWED_DAYS_BEFORE = 30;
const DAYS = 397;
const LOCAL = ["localhost", "127.0.0.1", "::1"];

/**
 * The TPP host's own TLS certificate, for its host name and for this machine. It is kept in `file`,
 * key and certificate together so that they always match, and made again when it is missing,
 * of another CA or host, or has less than 30 days left.
 */
export async function loadServerCertificate(
  authority: CertificateAuthority,
  { file, host, now }: { readonly file: string; readonly host: string; readonly now: Date },
): Promise<ServerCertificate> {
  const hosts = [...new Set([host.replace(/^\[(.*)\]$/, "$1"), ...LOCAL])];
  const found = await read(file);
  if (found !== undefined && serves(found, authority, hosts, now)) return found;
  const made = await make(authority, hosts, now);
  await replaceFile(file, made.key + made.cert, 0o600);
  return made;
}

/** The QSealC of the sandbox's bank, by which it signs what it tells TPPs; kept in `file` as that certificate is. */
export async function loadBankSeal(
  authority: CertificateAuthority,
  { file, now }: { readonly file: string; readonly now: Date },
): Promise<void> {
  const found = await read(file);
  if (found !== undefined && serves(found, authority, [], now)) return;
  const { publicKey, privateKey } = await makeEcKeys();
  const bank = { id: "PSDRO-NBR-SANDBOX", name: "Drawbridge Bank", roles: ["PSP_AS"] } as const;
  const certificate = await issueCertificate(authority, qsealParts({ ...bank, now }, publicKey));
  const pem = (await privateKeyPem(privateKey)) + certificatePem(certificate);
  await replaceFile(file, pem, 0o600);
}

async function make(
  authority: CertificateAuthority,
  hosts: readonly string[],
  now: Date,
): Promise<ServerCertificate> {
  const { publicKey, privateKey } = await makeEcKeys();
  const names = hosts.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value }) as const);
  const certificate = await issueCertificate(authority, {
    subject: distinguishedName(["O", "Drawbridge Sandbox"], ["CN", hosts[0] ?? "localhost"]),
    publicKey,
    notBefore: addTime(now, -1, "hour"),
    notAfter: addTime(now, DAYS, "day"),
    extensions: {
      basicConstraints: new BasicConstraintsExtension(false, undefined, true),
      keyUsage: new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      // Server and client authentication: with one it is a client of the sandbox's core bank.
      extendedKeyUsage: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]),
      subjectAltName: new SubjectAlternativeNameExtension(names),
    },
  });
  return { cert: certificatePem(certificate), key: await privateKeyPem(privateKey) };
}

const KEY_AND_CERTIFICATE =
  /^(-----BEGIN PRIVATE KEY-----.*-----END PRIVATE KEY-----\n)(-----BEGIN CERTIFICATE-----.*)$/s;

async function read(file: string): Promise<ServerCertificate | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [, key, cert] = KEY_AND_CERTIFICATE.exec(text) ?? [];
  return key === undefined || cert === undefined ? undefined : { key, cert };
}

function serves(
  { cert, key }: ServerCertificate,
  authority: CertificateAuthority,
  hosts: readonly string[],
  now: Date,
): boolean {
  try {
    const x509 = new NodeCertificate(cert);
    const issuer = new NodeCertificate(authority.certificatePem);
    return (
      x509.verify(issuer.publicKey) &&
      x509.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(x509.validTo) >= addTime(now, RENEWED_DAYS_BEFORE, "day").getTime() &&
      hosts.every((host) => isNamed(x509, host))
    );
  } catch {
    return false;
  }
}

function isNamed(x509: NodeCertificate, host: string): boolean {
  return (isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)) !== undefined;
}
