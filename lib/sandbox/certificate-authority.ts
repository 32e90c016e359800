import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addTime } from "@/lib/domain/values";
import { readIfThere, replaceFile } from "@/lib/files";
import {
  BasicConstraintsExtension,
  type CertificateParts,
  certificatePem,
  distinguishedName,
  type Issuer,
  issueCertificate,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeEcKeys,
  PemConverter,
  privateKeyPem,
  readEcPrivateKey,
  X509Certificate,
} from "./x509";

/** The sandbox's issuer of TPP certificates: anybody who runs the sandbox can be any TPP with it. */
export type CertificateAuthority = Issuer & {
  /** The CA's own certificate, and behind it the former ones that have not ended. */
  readonly certificatePem: string;
};

const DAYS = 3_653;
/** A TPP's certificates are valid for two years as a rule; the `ca.pem` next to them is valid for longer. */
const RENEWED_DAYS_BEFORE = 1_096;

/** A CA in memory, valid for ten years from an hour ago, so that clocks need not agree to the second. */
export async function makeCertificateAuthority(now: Date): Promise<CertificateAuthority> {
  const name = distinguishedName(
    ["C", "RO"],
    ["O", "Drawbridge Sandbox"],
    ["CN", "Drawbridge Sandbox CA"],
  );
  const keys = await makeEcKeys();
  const certificate = await issueCertificate({ name, keys }, authorityParts(name, keys, now));
  return { name, keys, certificatePem: certificatePem(certificate) };
}

export function authorityParts(
  subject: Issuer["name"],
  { publicKey }: CryptoKeyPair,
  now: Date,
): CertificateParts {
  return {
    subject,
    publicKey,
    notBefore: addTime(now, -1, "hour"),
    notAfter: addTime(now, DAYS, "day"),
    extensions: {
      basicConstraints: new BasicConstraintsExtension(true, 0, true),
      keyUsage: new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    },
  };
}

/**
 * The CA kept in `directory` as `ca.pem` and `ca.key`, made when the directory is not there. The directory appears
 * whole or not at all, and never replaces another: two processes that start at once both use the CA of one. It is
 * renewed three years before its end, or when it is loaded after that. Throws an Error when the files are unfit.
 */
export async function loadCertificateAuthority(
  directory: string,
  now: Date,
): Promise<CertificateAuthority> {
  const found = await readCertificateAuthority(directory);
  if (found === undefined) await keepNew(directory, await makeCertificateAuthority(now));
  const authority = found ?? (await readCertificateAuthority(directory));
  if (authority === undefined) throw new Error(`sandbox CA: ${directory} lacks ca.pem`);
  const { notAfter } = new X509Certificate(authority.certificatePem);
  const lasts = notAfter >= addTime(now, RENEWED_DAYS_BEFORE, "day");
  return lasts ? authority : renew(directory, authority, now);
}

/**
 * A new certificate over the same name and key: what the CA has issued is as good as before, and
 * TPPs with the former certificate still trust the CA. Of two concurrent renewals either is fine.
 */
async function renew(
  directory: string,
  { name, keys, certificatePem: former }: CertificateAuthority,
  now: Date,
): Promise<CertificateAuthority> {
  const renewed = await issueCertificate({ name, keys }, authorityParts(name, keys, now));
  const formers = PemConverter.decode(former).map((der) => new X509Certificate(der));
  const lasting = formers.filter(({ notAfter }) => notAfter > now);
  const pems = [renewed, ...lasting].map(certificatePem).join("");
  await replaceFile(join(directory, "ca.pem"), pems);
  return { name, keys, certificatePem: pems };
}

/** The stored CA, without a check of its validity; undefined when there is none. */
export async function readCertificateAuthority(
  directory: string,
): Promise<CertificateAuthority | undefined> {
  const certificate = await readIfThere(join(directory, "ca.pem"));
  if (certificate === undefined) return undefined;
  // The directory appears whole: a certificate without its key means that the key was removed.
  const key = await readIfThere(join(directory, "ca.key"));
  if (key === undefined) throw new Error(`sandbox CA: ${directory} lacks ca.key`);
  try {
    const { subjectName, publicKey } = new X509Certificate(certificate);
    const keys = { privateKey: await readEcPrivateKey(key), publicKey: await publicKey.export() };
    return { name: subjectName, keys, certificatePem: certificate };
  } catch (cause) {
    throw new Error(`sandbox CA: ${directory} is unreadable`, { cause });
  }
}

/** Written aside and moved into place: a rename never replaces a directory that holds something. */
async function keepNew(directory: string, authority: CertificateAuthority): Promise<void> {
  const aside = `${directory}.${randomUUID()}`;
  await mkdir(aside, { recursive: true });
  try {
    const key = await privateKeyPem(authority.keys.privateKey);
    await writeFile(join(aside, "ca.key"), key, { mode: 0o600 });
    await writeFile(join(aside, "ca.pem"), authority.certificatePem);
    await rename(aside, directory);
  } catch (error) {
    const { code = "none" } = error as NodeJS.ErrnoException;
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(code)) throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
