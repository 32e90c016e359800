import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";

/** A TLS certificate for the TPP host and a QWAC for who calls it, of one CA. */
export async function makeTestCertificates() {
  const now = new Date();
  const authority = await makeCertificateAuthority(now);
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-test-"));
  const file = path.join(folder, "tls.pem");
  const server = await loadServerCertificate(authority, { file, host: "localhost", now });
  await rm(folder, { recursive: true });
  const request = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"], now } as const;
  const { qwacPem, qwacKeyPem } = await issueTppCertificates(authority, request);
  return { server, client: { cert: qwacPem, key: qwacKeyPem } };
}
