import { getOrCreate } from "@/lib/cache";
import { reject } from "@/lib/domain/errors";
import { addTime } from "@/lib/domain/values";
import type { Certificate } from "./certificate";
import { certificateLimits } from "./certificate-fault";
import { type RevocationList, readCrl } from "./crl";
import { ocspRequest, readOcspResponse } from "./ocsp";
import type { FetchStatus, Issued, LookUpFault, StatusStatement } from "./status-answer";
import { issuerOf, type TrustAnchors } from "./trust";

type Checking = { readonly revocation: Revocation; readonly trustAnchors: TrustAnchors };

type Asked = {
  readonly certificate: Certificate;
  /** Whether an issuer that cannot be asked ends the request in any mode: where money moves. */
  readonly hard: boolean;
  readonly now: Date;
  /** The header the certificate came in; none for that of the connection. */
  readonly path?: string;
};

/** The issuer of a trusted certificate still stands by it. Rejects with 401 CERTIFICATE_REVOKED or CERTIFICATE_INVALID. */
export async function checkNotRevoked(
  { revocation, trustAnchors }: Checking,
  { certificate, hard, now, path }: Asked,
): Promise<void> {
  const issued = { certificate, issuer: issuerOf(certificate, trustAnchors) };
  const verdict = await revocation.check(issued, { hard, now });
  if (verdict === "good") return;
  const where = path === undefined ? {} : { path };
  if (verdict === "revoked") {
    throw reject("CERTIFICATE_REVOKED", "certificate has been revoked by its issuer", where);
  }
  throw reject("CERTIFICATE_INVALID", statusUnknown(certificate), where);
}

function statusUnknown({ ocspUrls, crlUrls }: Certificate): string {
  return ocspUrls.length + crlUrls.length === 0
    ? "certificate names no place that tells whether it is revoked"
    : "certificate's issuer could not tell whether it is revoked";
}

/** Whether an unknown status ends the request: always, for payments only, or nobody is asked at all. */
export type RevocationMode = "hard" | "soft" | "off";

/** Revoked by its issuer; or nobody could tell, and the mode or its use does not allow that. */
export type Verdict = "good" | "revoked" | "unknown";

export type Revocation = {
  /**
   * A word and no error: the house is built in one bundle and asked from others, and each of them has
   * error classes of its own.
   */
  readonly check: (
    issued: Issued,
    asked: { readonly hard: boolean; readonly now: Date },
  ) => Promise<Verdict>;
};

type RevocationOptions = {
  readonly mode: RevocationMode;
  readonly fetch: FetchStatus;
  /** Told of each place that gave no usable answer. */
  readonly onFault: (fault: LookUpFault) => void;
};

/**
 * OCSP, then CRL, as the certificate names them. "Good" is kept until it ends, for ten minutes at
 * most; that nobody could tell, for half a minute.
 */
export function revocation({ mode, fetch, onFault }: RevocationOptions): Revocation {
  const lookUp = statusLookUp({ fetch, onFault });
  const keep = cachedAnswers<StatusStatement>(certificateLimits.cachedCertificatesMax);
  // Nobody comes back from there, so none is forgotten to make room for others. Only what a believed
  // issuer has revoked gets in, so strangers cannot fill it.
  const revoked = new Set<string>();

  async function statusOf(issued: Issued, now: Date): Promise<StatusStatement["status"]> {
    const key = cacheKeyOf(issued);
    if (revoked.has(key)) return "revoked";
    const { status } = await keep(key, now, async () => {
      const found = await lookUp(issued, now);
      const { unknownSeconds } = certificateLimits;
      return found ?? { status: "unknown", until: addTime(now, unknownSeconds, "second") };
    });
    if (status === "revoked") revoked.add(key);
    return status;
  }

  return {
    check: async (issued, { hard, now }) => {
      if (mode === "off") return "good";
      const status = await statusOf(issued, now);
      if (status === "revoked") return "revoked";
      return status === "unknown" && (mode === "hard" || hard) ? "unknown" : "good";
    },
  };
}

/**
 * By what an issuer revokes. Its bytes do not name a certificate: of an ECDSA signature anybody can make
 * a second one (n - s in place of s), and the copy would be a certificate that nobody has asked about.
 */
function cacheKeyOf({ certificate, issuer }: Issued): string {
  return `${issuer.thumbprint} ${certificate.serialNumber}`;
}

type StatusLookUpOptions = {
  readonly fetch: FetchStatus;
  readonly onFault: (fault: LookUpFault) => void;
};

type StatusSource = {
  readonly url: string;
  readonly ask: () => Promise<StatusStatement>;
};

/**
 * Asks one place after the other until one of them tells; undefined when none does. What a responder
 * does not know (RFC 6960 2.2) may never have been issued, and a list names only what was revoked: no
 * other place can make it good from then on, but that it was revoked it can say.
 */
function statusLookUp({ fetch, onFault }: StatusLookUpOptions) {
  const lists = revocationLists(fetch);

  return async (issued: Issued, now: Date): Promise<StatusStatement | undefined> => {
    const { certificate } = issued;
    const tell = (reason: string, url?: string) => {
      const serialNumber = certificate.serialNumber.toString(16);
      onFault({ serialNumber, reason, ...(url !== undefined && { url }) });
    };
    const places: readonly StatusSource[] = [
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
        tell(messageOf(error), url);
      }
    }
    if (places.length === 0) tell("the certificate names no place that tells");
    return undefined;
  };

  async function askOcsp(url: string, issued: Issued, now: Date): Promise<StatusStatement> {
    const body = { bytes: ocspRequest(issued), type: "application/ocsp-request" };
    const response = await fetch({ url, body, bytesMax: certificateLimits.ocspBytesMax });
    return readOcspResponse(response, issued, now);
  }
}

/** A connection that failed for several addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  return error.message === "" ? error.name : error.message;
}

/** The issuers' lists by address, fetched and read once for all certificates that name it. */
function revocationLists(fetch: FetchStatus) {
  const keep = cachedAnswers<RevocationList>(certificateLimits.cachedListsMax);

  async function read(url: string, issuer: Certificate, now: Date): Promise<RevocationList> {
    return readCrl(await fetch({ url, bytesMax: certificateLimits.crlBytesMax }), issuer, now);
  }

  return {
    ask: async (
      url: string,
      { certificate, issuer }: Issued,
      now: Date,
    ): Promise<StatusStatement> => {
      // A list is believed as its issuer's alone, whoever else names the same address.
      const key = `${issuer.thumbprint} ${url}`;
      const { serialNumbers, until } = await keep(key, now, () => read(url, issuer, now));
      const status = serialNumbers.has(certificate.serialNumber) ? "revoked" : "good";
      return { status, until };
    },
  };
}

type CachedAnswer<Answer> = { readonly answer: Answer; readonly at: Date };

/**
 * Answers by what was asked, each until it ends. Calls that come while it is being asked wait for the
 * same answer; a question that failed is forgotten, so the next call asks anew.
 */
function cachedAnswers<Answer extends { readonly until: Date }>(entriesMax: number) {
  const known = new Map<string, Promise<CachedAnswer<Answer>>>();

  function asking(
    key: string,
    now: Date,
    ask: () => Promise<Answer>,
  ): Promise<CachedAnswer<Answer>> {
    const asked = ask().then((answer) => ({ answer, at: now }));
    asked.catch(() => {
      if (known.get(key) === asked) known.delete(key);
    });
    return asked;
  }

  return async (key: string, now: Date, ask: () => Promise<Answer>): Promise<Answer> => {
    const before = known.get(key);
    // Of those that find the same answer ended, the first asks; the rest find its question.
    if (before !== undefined && isOver(await before, now) && known.get(key) === before) {
      known.delete(key);
    }
    return (await getOrCreate(known, key, entriesMax, () => asking(key, now, ask))).answer;
  };
}

/** Also when the clock was set back behind it: nobody could say then how long it has been kept. */
function isOver<Answer extends { readonly until: Date }>(
  { answer, at }: CachedAnswer<Answer>,
  now: Date,
): boolean {
  return (
    now >= answer.until || now < addTime(at, -certificateLimits.statusClockSkewSeconds, "second")
  );
}
