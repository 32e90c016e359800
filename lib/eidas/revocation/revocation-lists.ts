import type { Certificate } from "../certificate";
import { certificateLimits } from "../limits";
import { type RevocationList, readCrl } from "./crl";
import { keptAnswers } from "./kept-answers";
import type { FetchStatus, Issued, Statement } from "./status";

/** The issuers' lists by address, fetched and read once for all certificates that name it. */
export function revocationLists(fetch: FetchStatus) {
  const keep = keptAnswers<RevocationList>(certificateLimits.cachedListsMax);

  async function read(url: string, issuer: Certificate, now: Date): Promise<RevocationList> {
    return readCrl(await fetch({ url, bytesMax: certificateLimits.crlBytesMax }), issuer, now);
  }

  return {
    ask: async (url: string, { certificate, issuer }: Issued, now: Date): Promise<Statement> => {
      // A list is believed as its issuer's alone, whoever else names the same address.
      const key = `${issuer.thumbprint} ${url}`;
      const { serialNumbers, until } = await keep(key, now, () => read(url, issuer, now));
      const status = serialNumbers.has(certificate.serialNumber) ? "revoked" : "good";
      return { status, until };
    },
  };
}
