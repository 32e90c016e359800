import { X509Certificate } from "node:crypto";
import type { CertificateAuthority } from "./certificate-authority";
import { revoke } from "./certificate-status/revoked-file";
import type { Spoilt } from "./defects";
import { spoil } from "./spoil-certificate";
import type { TppCertificateRequest } from "./tpp-certificate-parts";
import { issueTppCertificates, type TppCertificates } from "./tpp-certificates";

type Mint = {
  readonly authority: CertificateAuthority;
  /** Where the CA keeps what it has revoked. */
  readonly directory: string;
};

/** Certificates of a TPP of which one has a defect, or none. Throws an Error on an unfit id. */
export async function mintTppCertificates(
  { authority, directory }: Mint,
  request: TppCertificateRequest,
  spoilt?: Spoilt,
): Promise<TppCertificates> {
  if (spoilt === undefined) return issueTppCertificates(authority, request);
  const made = await issueTppCertificates(authority, request, (draft) =>
    draft.kind === spoilt.in ? spoil[spoilt.defect](draft) : draft,
  );
  if (spoilt.defect === "revoked") {
    const { serialNumber } = new X509Certificate(made[`${spoilt.in}Pem`]);
    await revoke(directory, { serialNumber: BigInt(`0x${serialNumber}`), at: request.now });
  }
  return made;
}
