import { certificateLimits } from "../limits";
import { ocspRequest } from "./ocsp-request";
import { readOcspResponse } from "./ocsp-response";
import { revocationLists } from "./revocation-lists";
import type { FetchStatus, Issued, LookUpFault, Statement } from "./status";

type Means = {
  readonly fetch: FetchStatus;
  readonly onFault: (fault: LookUpFault) => void;
};

type Place = {
  readonly url: string;
  readonly ask: () => Promise<Statement>;
};

/**
 * Asks one place after the other until one of them tells; undefined when none does. What a responder
 * does not know (RFC 6960 2.2) may never have been issued, and a list names only what was revoked: no
 * other place can make it good from then on, but that it was revoked it can say.
 */
export function statusLookUp({ fetch, onFault }: Means) {
  const lists = revocationLists(fetch);

  return async (issued: Issued, now: Date): Promise<Statement | undefined> => {
    const { certificate } = issued;
    const tell = (reason: string, url?: string) => {
      const serialNumber = certificate.serialNumber.toString(16);
      onFault({ serialNumber, reason, ...(url !== undefined && { url }) });
    };
    const places: readonly Place[] = [
      ...certificate.ocspUrls.map((url) => ({ url, ask: () => askOcsp(url, issued, now) })),
      ...certificate.crlUrls.map((url) => ({ url, ask: () => lists.ask(url, issued, now) })),
    ];
    let known = true;
    for (const { url, ask } of places) {
      try {
        const statement = await ask();
        if (statement.status === "unknown")
          tell("the responder does not know the certificate", url);
        known &&= statement.status !== "unknown";
        if (statement.status === "revoked" || known) return statement;
      } catch (error) {
        tell(inWords(error), url);
      }
    }
    if (places.length === 0) tell("the certificate names no place that tells");
    return undefined;
  };

  async function askOcsp(url: string, issued: Issued, now: Date): Promise<Statement> {
    const body = { bytes: ocspRequest(issued), type: "application/ocsp-request" };
    const response = await fetch({ url, body, bytesMax: certificateLimits.ocspBytesMax });
    return readOcspResponse(response, issued, now);
  }
}

/** A connection that failed for several addresses has no message of its own. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  return error.message === "" ? error.name : error.message;
}
