import { X509Certificate } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { issueSandboxCertificates } from "@/lib/sandbox/certificate-issuing";
import type { psd2Roles } from "@/lib/sandbox/certificate-order";
import type { DefectIn } from "@/lib/sandbox/defects";
import { webUrl } from "./environment";

/** A role of PSD2 as ETSI TS 119 495 names it. */
export type Role = (typeof psd2Roles)[number];

export type Organisation = {
  /** organizationIdentifier, e.g. `PSDRO-NBR-1234567`. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** The competent authority, e.g. `RO-NBR`; from the id when not given. */
  readonly authorityId?: string | undefined;
  readonly authorityName?: string | undefined;
  /** Of the redirect URIs; localhost when not given. */
  readonly domain?: string | undefined;
};

/** When the certificates are valid; from an hour ago, for two years, when not given. */
type Validity = { readonly notBefore?: Date; readonly notAfter?: Date };

export type Making = Validity & {
  /** One of the two has a defect, in order to be refused. */
  readonly withDefect?: DefectIn;
  /** This machine's time when not given. */
  readonly now?: Date;
  /** Where their issuer answers for them; below WEB_URL when not given. */
  readonly statusUrl?: string;
  /** A pair for each of the two; new ones when not given. */
  readonly makeKeys?: () => Promise<CryptoKeyPair>;
};

/** PEM throughout. */
export type TppCertificates = {
  readonly qwac: { readonly pem: string; readonly key: string };
  readonly qseal: { readonly pem: string; readonly key: string };
  /** The sandbox CA: it issued the bank's TLS certificate as well. */
  readonly ca: string;
};

const RENEWED_DAYS_BEFORE = 30;
const EXAMPLE: Organisation = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP",
  roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
};

/** Certificates of the sandbox CA under `dataDir`, which is made when it is not there. */
export async function makeCertificates(
  dataDir: string,
  organisation: Organisation,
  { withDefect, now = new Date(), ...more }: Making = {},
): Promise<TppCertificates> {
  const directory = join(dataDir, "ca");
  const authority = await loadCertificateAuthority(directory, now);
  const request = { ...organisation, statusUrl: statusUrl(), ...more, now };
  const made = await issueSandboxCertificates({ authority, directory }, request, withDefect);
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

/**
 * This TPP's own certificates under `dataDir/tpp`. Made again when missing, of a former CA or of its
 * former certificate, when they end within 30 days, and when the CA answers elsewhere than they say.
 */
export async function ownCertificates(
  dataDir: string,
  now: Date = new Date(),
  making: Pick<Making, "makeKeys"> = {},
): Promise<TppCertificates> {
  const dir = join(dataDir, "tpp");
  const authority = await loadCertificateAuthority(join(dataDir, "ca"), now);
  const found = await readCertificates(dir).catch(() => undefined);
  if (found !== undefined && isUsable(found, authority.certificatePem, now)) return found;
  const made = await makeCertificates(dataDir, EXAMPLE, { ...making, now });
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

function isUsable({ qwac, qseal, ca }: TppCertificates, ownCa: string, now: Date): boolean {
  const issuer = new X509Certificate(ownCa).publicKey;
  const end = now.getTime() + RENEWED_DAYS_BEFORE * 86_400_000;
  return (
    ca === ownCa &&
    [qwac.pem, qseal.pem]
      .map((pem) => new X509Certificate(pem))
      .every((one) => one.verify(issuer) && Date.parse(one.validTo) >= end && namesStatusUrl(one))
  );
}

/** Where the sandbox CA answers for its certificates. */
function statusUrl(): string {
  return `${webUrl()}/sandbox`;
}

function namesStatusUrl({ infoAccess }: X509Certificate): boolean {
  return infoAccess?.split("\n").includes(`OCSP - URI:${statusUrl()}/ocsp`) === true;
}
