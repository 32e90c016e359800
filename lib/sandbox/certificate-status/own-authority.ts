import type { X509Certificate } from "node:crypto";
import type { Revocation } from "@/lib/eidas/revocation/revocation";
import { followRevoked } from "./revoked-file";
import { readSigner } from "./signing";

type Issuer = Parameters<Revocation["check"]>[0]["issuer"];

/**
 * What the sandbox's own CA has revoked is known here, so nobody is asked: a certificate of an old data
 * folder, made when this host had another address, counts as it did. Other issuers are asked as always.
 */
export function withOwnAuthority(elsewhere: Revocation, authorityDirectory: string): Revocation {
  const revokedNow = followRevoked(authorityDirectory);
  let own: X509Certificate | undefined;
  const known = new WeakMap<Issuer, boolean>();
  // By the key: a CA that has renewed its own certificate is the same CA.
  const isOwn = (issuer: Issuer, { publicKey }: X509Certificate) => {
    const is = known.get(issuer) ?? publicKey.equals(issuer.publicKey);
    known.set(issuer, is);
    return is;
  };
  return {
    check: async (issued, asked) => {
      own ??= (await readSigner(authorityDirectory))?.certificate;
      if (own === undefined || !isOwn(issued.issuer, own)) return elsewhere.check(issued, asked);
      const revoked = await revokedNow();
      const { serialNumber } = issued.certificate;
      return revoked.some((one) => one.serialNumber === serialNumber) ? "revoked" : "counts";
    },
  };
}
