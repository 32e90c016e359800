import { X509Certificate } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";

/** The roles of PSD2 as ETSI TS 119 495 names them. */
export const ROLES = ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"] as const;
export type Role = (typeof ROLES)[number];

export type Organisation = {
  /** organizationIdentifier, e.g. `PSDRO-NBR-1234567`. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
};

/** When the certificates are valid; from an hour ago, for two years, when not given. */
export type Validity = { readonly notBefore?: Date; readonly notAfter?: Date };

/** PEM throughout. */
export type TppCertificates = {
  readonly qwac: { readonly pem: string; readonly key: string };
  readonly qseal: { readonly pem: string; readonly key: string };
  /** The sandbox CA: it issued the bank's TLS certificate as well. */
  readonly ca: string;
};

const EXAMPLE: Organisation = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP",
  roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
};

/** Certificates of the sandbox CA under `dataDir`, which is made when it is not there. */
export async function makeCertificates(
  dataDir: string,
  organisation: Organisation,
  validity: Validity = {},
): Promise<TppCertificates> {
  const now = new Date();
  const authority = await loadCertificateAuthority(join(dataDir, "ca"), now);
  const made = await issueTppCertificates(authority, { ...organisation, ...validity, now });
  return {
    qwac: { pem: made.qwacPem, key: made.qwacKeyPem },
    qseal: { pem: made.qsealPem, key: made.qsealKeyPem },
    ca: made.caPem,
  };
}

/** Keys for the owner's eyes only. */
export async function writeCertificates(dir: string, made: TppCertificates): Promise<void> {
  await mkdir(dir, { recursive: true });
  const files = [
    ["qwac.pem", made.qwac.pem, 0o644],
    ["qwac.key", made.qwac.key, 0o600],
    ["qseal.pem", made.qseal.pem, 0o644],
    ["qseal.key", made.qseal.key, 0o600],
    ["ca.pem", made.ca, 0o644],
  ] as const;
  await Promise.all(files.map(([name, text, mode]) => write(join(dir, name), text, mode)));
}

async function write(path: string, text: string, mode: number): Promise<void> {
  await writeFile(path, text, { mode });
  // The mode above is for new files only.
  await chmod(path, mode);
}

export async function readCertificates(dir: string): Promise<TppCertificates> {
  const read = (name: string) => readFile(join(dir, name), "utf8");
  const [qwac, qwacKey, qseal, qsealKey, ca] = await Promise.all([
    read("qwac.pem"),
    read("qwac.key"),
    read("qseal.pem"),
    read("qseal.key"),
    read("ca.pem"),
  ]);
  return { qwac: { pem: qwac, key: qwacKey }, qseal: { pem: qseal, key: qsealKey }, ca };
}

/** This TPP's own certificates under `dataDir/tpp`; made when missing, expired or of a former CA. */
export async function ownCertificates(dataDir: string): Promise<TppCertificates> {
  const dir = join(dataDir, "tpp");
  const authority = await loadCertificateAuthority(join(dataDir, "ca"), new Date());
  const found = await readCertificates(dir).catch(() => undefined);
  if (found !== undefined && isUsable(found, authority.certificatePem)) return found;
  const made = await makeCertificates(dataDir, EXAMPLE);
  await writeCertificates(dir, made);
  return made;
}

/** organizationIdentifier, which is also the TPP's OAuth `client_id`. */
export function clientId({ qwac }: TppCertificates): string {
  const { subject } = new X509Certificate(qwac.pem);
  const id = /^(?:organizationIdentifier|2\.5\.4\.97)=(.+)$/m.exec(subject)?.[1];
  if (id === undefined) throw new Error("qwac.pem names no organizationIdentifier");
  return id;
}

function isUsable({ qwac, qseal }: TppCertificates, ca: string): boolean {
  const issuer = new X509Certificate(ca).publicKey;
  return [qwac.pem, qseal.pem]
    .map((pem) => new X509Certificate(pem))
    .every((one) => one.verify(issuer) && Date.parse(one.validTo) > Date.now());
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
