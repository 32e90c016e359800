import type { X509Certificate } from "node:crypto";
import type { Revocation } from "@/lib/eidas/revocation/revocation";
import { revokedIn } from "./revoked-file";
import { readSigner } from "./signing";

/**
 * What the sandbox's own CA has revoked is known here, so nobody is asked: a certificate of an old data
 * folder, made when this host had another address, counts as it did. Other issuers are asked as always.
 */
export function withOwnAuthority(elsewhere: Revocation, authorityDirectory: string): Revocation {
  let own: X509Certificate | undefined;
  return {
    check: async (issued, asked) => {
      own ??= (await readSigner(authorityDirectory))?.certificate;
      // By the key: a CA that has renewed its own certificate is the same CA.
      if (own?.publicKey.equals(issued.issuer.publicKey) !== true) {
        return elsewhere.check(issued, asked);
      }
      const revoked = await revokedIn(authorityDirectory);
      const { serialNumber } = issued.certificate;
      return revoked.some((one) => one.serialNumber === serialNumber) ? "revoked" : "counts";
    },
  };
}
