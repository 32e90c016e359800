import { join } from "node:path";
import { after } from "@/lib/domain/clock";
import { readCertificateAuthority } from "./certificate-authority";
import type { CertificateOrder } from "./certificate-order";
import { mintTppCertificates } from "./mint";

/** A file as the TPP's command names it, in PEM. */
export type MintedFile = { readonly name: string; readonly text: string };

type Bank = { readonly dataDir: string; readonly webUrl: string; readonly now: Date };

/**
 * The certificates of an order, of the CA that the server has taken up at its start; it is not renewed
 * here, since the bank's clock may have been moved. Throws an Error when there is no CA.
 */
export async function mintedFiles(
  { organisation, days, spoilt }: CertificateOrder,
  { dataDir, webUrl, now }: Bank,
): Promise<readonly MintedFile[]> {
  const directory = join(dataDir, "ca");
  const authority = await readCertificateAuthority(directory);
  if (authority === undefined) throw new Error(`sandbox CA: ${directory} lacks ca.pem`);
  const notAfter = after(now, days, "day");
  const request = { ...organisation, now, notAfter, statusUrl: `${webUrl}/sandbox` };
  const made = await mintTppCertificates({ authority, directory }, request, spoilt);
  return [
    { name: "qwac.pem", text: made.qwacPem },
    { name: "qwac.key", text: made.qwacKeyPem },
    { name: "qseal.pem", text: made.qsealPem },
    { name: "qseal.key", text: made.qsealKeyPem },
    { name: "ca.pem", text: made.caPem },
  ];
}
