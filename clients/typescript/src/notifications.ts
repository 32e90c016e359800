import { constants, type KeyObject, verify, X509Certificate } from "node:crypto";

/**
 * Whose seal is believed: certificates that the bank has handed over, or those that an authority has issued to the bank with
 * this organizationIdentifier, since the same authorities issue to TPPs. PEM, several in one text or in a list.
 */
export type NotificationTrust =
  | { readonly certificates: string | readonly string[] }
  | { readonly anchors: string | readonly string[]; readonly organizationIdentifier: string };

/** A POST to your server, with its bytes as they came, before any parser. */
export type ReceivedNotification = {
  /** Your URI, as `TPP-Notification-URI` had it. */
  readonly url: string;
  /** Names in lower case, as node:http has them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
};

type Resource = { readonly consentId: string } | { readonly paymentId: string };
/** A consent's or payment's new status, or that of the PSU's authorisation of it. */
export type NotifiedStatus =
  | { readonly consentId: string; readonly consentStatus: string }
  | { readonly paymentId: string; readonly transactionStatus: string }
  | (Resource & { readonly authorisationId: string; readonly scaStatus: string });

/** Why a notification is not to be believed. */
export type NotificationFault =
  /** `x-jws-signature` is missing, or is no JWS without its content (RFC 7515, appendix F). */
  | "no-signature"
  /** Another than PS256, ES256, ES384 and ES512, or one that is not for the certificate's key. */
  | "algorithm"
  /** Not the bank's, not issued by an authority that you believe, no seal, or not valid now. Revocation is not asked for. */
  | "certificate"
  /** Not made by the certificate's key over this body. */
  | "signature"
  /** Meant for another URI. */
  | "url"
  /** `X-Request-ID` is not the one that was signed. */
  | "request-id"
  /** Sent too long ago, or later than now. */
  | "time"
  /** No status of a consent or payment. */
  | "body";

export type VerifiedNotification = {
  readonly ok: true;
  /** The same when it comes again. */
  readonly requestId: string;
  readonly sentAt: Date;
  readonly status: NotifiedStatus;
  /** That which has signed it, to ask an OCSP responder about. */
  readonly certificate: X509Certificate;
};

type VerifyOptions = {
  readonly trust: NotificationTrust;
  /** How far the bank's clock and yours may be apart, both ways, with the time on the way. */
  readonly skewSeconds?: number;
  readonly now?: Date;
};

const SKEW_SECONDS = 300;
const RSA_BITS_MIN = 2_048;
/** A seal, and the authorities between it and an anchor. */
const CHAIN_MAX = 4;
/** serverAuth, clientAuth. */
const TLS_PURPOSES = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"];
const CURVES: Readonly<Record<string, string>> = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};
const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};

type SealHeader = Readonly<Record<"alg" | "url" | "jti", string>> & {
  readonly iat: number;
  readonly chain: readonly X509Certificate[];
};

/**
 * Whether the bank has sent this notification to this URI just now, and what it says. It is sent until it is answered with a
 * 2xx: what has come twice has the same `requestId`.
 */
export function verifyNotification(
  { url, headers, body }: ReceivedNotification,
  { trust, skewSeconds = SKEW_SECONDS, now = new Date() }: VerifyOptions,
): VerifiedNotification | { readonly ok: false; readonly reason: NotificationFault } {
  const refused = (reason: NotificationFault) => ({ ok: false, reason }) as const;
  const jws = /^([\w-]+)\.\.([\w-]+)$/.exec(String(headers["x-jws-signature"]));
  const [, protectedHeader = "", value = ""] = jws ?? [];
  const header = orUndefined(() => sealHeader(protectedHeader));
  const certificate = header?.chain[0];
  if (header === undefined || certificate === undefined) return refused("no-signature");
  const parameters = orUndefined(() => verifying(header.alg, certificate.publicKey));
  if (parameters === undefined) return refused("algorithm");
  if (orUndefined(() => isBelieved(header.chain, trust, now)) !== true)
    return refused("certificate");
  const signed = Buffer.from(`${protectedHeader}.${Buffer.from(body).toString("base64url")}`);
  const hash = header.alg.replace(/^\D+/, "sha");
  const made = Buffer.from(value, "base64url");
  if (orUndefined(() => verify(hash, signed, parameters, made)) !== true)
    return refused("signature");
  if (header.url !== url) return refused("url");
  if (header.jti !== headers["x-request-id"]) return refused("request-id");
  const sentAt = new Date(header.iat * 1_000);
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= skewSeconds * 1_000)) return refused("time");
  const status = orUndefined(() => statusIn(body));
  if (status === undefined) return refused("body");
  return { ok: true, requestId: header.jti, sentAt, status, certificate };
}

/** Undefined also where something has thrown: what strangers send is not worth telling apart. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function sealHeader(encoded: string): SealHeader | undefined {
  const { alg, url, jti, iat, x5c, crit } = JSON.parse(utf8(Buffer.from(encoded, "base64url")));
  const texts = [alg, url, jti, ...x5c];
  if (!texts.every((text) => typeof text === "string") || typeof iat !== "number") return undefined;
  // An extension that has to be understood, and x5c longer than any chain (RFC 7515, 4.1.11).
  if (crit !== undefined || x5c.length > CHAIN_MAX) return undefined;
  const chain = x5c.map((der: string) => new X509Certificate(Buffer.from(der, "base64")));
  return { alg, url, jti, iat, chain };
}

/** The algorithm is of the key, not of the sender's choice: a public key is never a secret for HS256. */
function verifying(alg: string, key: KeyObject) {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa")
    return alg === "PS256" && modulusLength >= RSA_BITS_MIN ? { key, ...PSS } : undefined;
  if (namedCurve === undefined || CURVES[alg] !== namedCurve) return undefined;
  return { key, dsaEncoding: "ieee-p1363" } as const;
}

function isBelieved(
  [certificate, ...between]: readonly X509Certificate[],
  trust: NotificationTrust,
  now: Date,
): boolean {
  if (certificate === undefined || !isSeal(certificate) || !isValid(certificate, now)) return false;
  if ("certificates" in trust)
    return certificatesIn(trust.certificates).some(({ raw }) => raw.equals(certificate.raw));
  // Not its text, in which a name could look like several.
  const subject: Readonly<Record<string, unknown>> = { ...certificate.toLegacyObject().subject };
  if (subject["organizationIdentifier"] !== trust.organizationIdentifier) return false;
  const anchors = certificatesIn(trust.anchors);
  const issuerOf = (issued: X509Certificate, issuers: readonly X509Certificate[]) =>
    issuers.find((one) => isValid(one, now) && hasIssued(one, issued));
  let last: X509Certificate | undefined = certificate;
  for (let length = 0; last !== undefined && length < CHAIN_MAX; length += 1) {
    if (issuerOf(last, anchors) !== undefined) return true;
    last = issuerOf(last, between);
  }
  return false;
}

/** Neither an authority's nor one for TLS, as a QWAC is. Node has the extended key usage as `keyUsage`. */
function isSeal({ ca, keyUsage }: X509Certificate): boolean {
  const purposes: readonly string[] = keyUsage ?? [];
  return !ca && !purposes.some((purpose) => TLS_PURPOSES.includes(purpose));
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo);
}

function hasIssued(issuer: X509Certificate, issued: X509Certificate): boolean {
  return issuer.ca && issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
}

function certificatesIn(pem: string | readonly string[]): readonly X509Certificate[] {
  const blocks = [pem]
    .flat()
    .join("\n")
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (blocks ?? []).map((block) => new X509Certificate(block));
}

/** Only what the standard names; more may come with a later version of it. */
function statusIn(body: Uint8Array): NotifiedStatus | undefined {
  const said: Readonly<Record<string, unknown>> = JSON.parse(utf8(body));
  const member = <Name extends string>(name: Name) => {
    const value = said[name];
    return typeof value === "string" ? ({ [name]: value } as Record<Name, string>) : undefined;
  };
  const [consent, payment] = [member("consentId"), member("paymentId")];
  const [ofConsent, ofPayment] = [member("consentStatus"), member("transactionStatus")];
  const [authorisation, ofSca] = [member("authorisationId"), member("scaStatus")];
  const resource = consent ?? payment;
  if (resource === undefined || (consent !== undefined && payment !== undefined)) return undefined;
  if (authorisation !== undefined && ofSca !== undefined)
    return { ...resource, ...authorisation, ...ofSca };
  if (consent !== undefined && ofConsent !== undefined) return { ...consent, ...ofConsent };
  if (payment !== undefined && ofPayment !== undefined) return { ...payment, ...ofPayment };
  return undefined;
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
