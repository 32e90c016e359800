import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "@/lib/domain/clock";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { readSigner } from "@/lib/sandbox/certificate-status/signing";
import {
  type CertificateParts,
  certificatePem,
  distinguishedName,
  type Issuer,
  issueCertificate,
} from "@/lib/sandbox/issue-certificate";
import { makeEcKeys, privateKeyPem } from "@/lib/sandbox/key-pairs";
import { qwacParts } from "@/lib/sandbox/tpp-certificate-parts";
import {
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
} from "@/lib/sandbox/x509";
import { type Certificate, readCertificate } from "../../certificate";

/** PEM files of whoever signs answers. */
export type SignerFiles = { readonly certificate: string; readonly key: string };

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

/** A CA in a folder of its own, whose files OpenSSL can use, and TPP certificates of it. */
export async function startIssuer(now: Date) {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-issuer-"));
  const authority = await loadCertificateAuthority(join(folder, "ca"), now);
  const tppKeys = await makeEcKeys();
  const own = { certificate: join(folder, "ca/ca.pem"), key: join(folder, "ca/ca.key") };

  async function writeSigner(name: string, pem: string, keys: CryptoKeyPair) {
    const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
    await writeFile(files.certificate, pem);
    await writeFile(files.key, await privateKeyPem(keys.privateKey));
    return files;
  }

  const signer = await readSigner(join(folder, "ca"));
  if (signer === undefined) throw new Error("no CA");

  return {
    folder,
    authority,
    signer,
    own,
    certificate: read(authority.certificatePem),

    tpp: async (): Promise<Certificate> => {
      const request = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], now } as const;
      const parts = qwacParts(request, tppKeys.publicKey);
      return read(certificatePem(await issueCertificate(authority, parts)));
    },

    /** A certificate for answering in the CA's name, or one that is spoilt in some way. */
    responder: async (
      name: string,
      changes: Partial<CertificateParts> & { readonly issuer?: Issuer } = {},
    ): Promise<SignerFiles> => {
      const keys = await makeEcKeys();
      const { issuer = authority, ...changed } = changes;
      const parts = { ...responderParts(keys, now), ...changed };
      return writeSigner(name, certificatePem(await issueCertificate(issuer, parts)), keys);
    },

    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export const responderExtensions = {
  keyUsage: new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  extendedKeyUsage: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.9"]),
  noCheck: new Extension("1.3.6.1.5.5.7.48.1.5", false, Uint8Array.of(5, 0)),
};

/** The certificate as if it named these addresses: they are known only when somebody listens there. */
export function naming(
  certificate: Certificate,
  { ocsp = [], crl = [] }: { readonly ocsp?: readonly string[]; readonly crl?: readonly string[] },
): Certificate {
  return { ...certificate, ocspUrls: ocsp, crlUrls: crl };
}

function responderParts({ publicKey }: CryptoKeyPair, now: Date): CertificateParts {
  return {
    subject: distinguishedName(["C", "RO"], ["CN", "Responder"]),
    publicKey,
    notBefore: after(now, -1, "hour"),
    notAfter: after(now, 30, "day"),
    extensions: responderExtensions,
  };
}

function read(pem: string): Certificate {
  return readCertificate(new Uint8Array(new X509Certificate(pem).rawData));
}
