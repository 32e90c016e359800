import { getOrCreate } from "@/lib/cache";
import { reject } from "@/lib/domain/errors";
import { addTime } from "@/lib/domain/values";
import type { Certificate } from "./certificate";
import { certificateLimits } from "./certificate-fault";
import { type RevocationList, readCrl } from "./crl";
import { ocspRequest, readOcspResponse } from "./ocsp";
import type { FetchStatus, Issued, LookUpFault, StatusStatement } from "./status-answer";
import { issuerOf, type TrustAnchors } from "./trust";

export type Checking = { readonly revocation: Revocation; readonly trustAnchors: TrustAnchors };

type Asked = {
  readonly certificate: Certificate;
  /** Whether an unknown status refuses the request in any mode: for payments. */
  readonly hard: boolean;
  readonly now: Date;
  /** The header the certificate came in; none for that of the connection. */
  readonly path?: string;
};

/** Checks that the issuer has not revoked a trusted certificate. Rejects with 401 CERTIFICATE_REVOKED or CERTIFICATE_INVALID. */
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

/** Whether an unknown status refuses the request: always, for payments only; or no issuer is asked at all. */
export type RevocationMode = "hard" | "soft" | "off";

/** `revoked` by its issuer; `unknown` when the mode or the use does not accept that. */
export type Verdict = "good" | "revoked" | "unknown";

export type Revocation = {
  /**
   * A value and no error: the services are built in one bundle and called from others, and each of them has
   * its own error classes.
   */
  readonly check: (
    issued: Issued,
    asked: { readonly hard: boolean; readonly now: Date },
  ) => Promise<Verdict>;
};

type RevocationOptions = {
  readonly mode: RevocationMode;
  readonly fetch: FetchStatus;
  readonly onFault: (fault: LookUpFault) => void;
  /** Called for a certificate that is accepted although its status is unknown, once an hour. */
  readonly onUnknownAccepted?: (certificate: Certificate) => void;
};

/**
 * OCSP, then CRL, as the certificate names them. "Good" is cached until it expires, for ten minutes at
 * most; an unknown status for half a minute.
 */
export function revocation({ mode, fetch, onFault, ...options }: RevocationOptions): Revocation {
  const lookUp = statusLookUp({ fetch, onFault });
  const keep = cachedAnswers<StatusStatement>(certificateLimits.cachedCertificatesMax);
  // A revocation is final, so none is evicted. Only certificates of trusted issuers are added, so unknown
  // callers cannot fill it.
  const revoked = new Set<string>();
  const told = cachedAnswers<{ readonly until: Date }>(certificateLimits.cachedCertificatesMax);

  const tellAccepted = (issued: Issued, now: Date) =>
    told(cacheKeyOf(issued), now, async () => {
      options.onUnknownAccepted?.(issued.certificate);
      return { until: addTime(now, certificateLimits.unknownToldMinutes, "minute") };
    });

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
      if (status !== "unknown") return status;
      if (mode === "hard" || hard) return "unknown";
      await tellAccepted(issued, now);
      return "good";
    },
  };
}

/** Calls `onRevoked` when a certificate is first found revoked, and again at the next request where that fails. */
export function noticingRevoked(
  { check }: Revocation,
  onRevoked: (certificate: Certificate, now: Date) => Promise<void>,
): Revocation {
  // Certificates of trusted issuers alone, so unknown callers cannot fill it.
  const noticed = new Set<string>();
  return {
    check: async (issued, asked) => {
      const verdict = await check(issued, asked);
      const key = cacheKeyOf(issued);
      if (verdict === "revoked" && !noticed.has(key)) {
        noticed.add(key);
        onRevoked(issued.certificate, asked.now).catch(() => noticed.delete(key));
      }
      return verdict;
    },
  };
}

/**
 * Issuer and serial number, as revocations name a certificate. Its bytes are no key: from an ECDSA signature
 * anybody can make a second one (n - s in place of s), and the copy would be an unchecked certificate.
 */
function cacheKeyOf({ certificate, issuer }: Issued): string {
  return `${issuer.thumbprint} ${certificate.serialNumber}`;
}

/**
 * Asks one address after the other until one gives a status; undefined when none does. A certificate that
 * a responder does not know (RFC 6960 2.2) may never have been issued, and a list names only revoked ones:
 * from then on another address can only say that it is revoked, not that it is good.
 */
function statusLookUp({ fetch, onFault }: Pick<RevocationOptions, "fetch" | "onFault">) {
  const askList = revocationLists(fetch);

  return async (issued: Issued, now: Date): Promise<StatusStatement | undefined> => {
    const { certificate } = issued;
    const tell = (reason: string, url?: string) => {
      const serialNumber = certificate.serialNumber.toString(16);
      onFault({ serialNumber, reason, ...(url !== undefined && { url }) });
    };
    const places = [
      ...certificate.ocspUrls.map((url) => ({ url, ask: () => askOcsp(url, issued, now) })),
      ...certificate.crlUrls.map((url) => ({ url, ask: () => askList(url, issued, now) })),
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

  return async (
    url: string,
    { certificate, issuer }: Issued,
    now: Date,
  ): Promise<StatusStatement> => {
    // A list is trusted for its own issuer only, even if another issuer names the same address.
    const key = `${issuer.thumbprint} ${url}`;
    const { serialNumbers, until } = await keep(key, now, () => read(url, issuer, now));
    const status = serialNumbers.has(certificate.serialNumber) ? "revoked" : "good";
    return { status, until };
  };
}

type CachedAnswer<Answer> = { readonly answer: Answer; readonly at: Date };

/**
 * Answers by key, each until it expires. Calls during a request wait for its answer; a failed request is
 * not cached, so the next call asks again.
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
    // Of the calls that find the same answer expired, the first asks; the rest wait for its answer.
    if (before !== undefined && isOver(await before, now) && known.get(key) === before) {
      known.delete(key);
    }
    return (await getOrCreate(known, key, entriesMax, () => asking(key, now, ask))).answer;
  };
}

/** Also when the clock was set back before it: its age is unknown then. */
function isOver<Answer extends { readonly until: Date }>(
  { answer, at }: CachedAnswer<Answer>,
  now: Date,
): boolean {
  return (
    now >= answer.until || now < addTime(at, -certificateLimits.statusClockSkewSeconds, "second")
  );
}
