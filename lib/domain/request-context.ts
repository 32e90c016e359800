import type { AccountConsent } from "./consents";
import { reject } from "./errors";
import type { FundsConsent } from "./funds";
import type { BlockOrder, StopList, Tpp } from "./tpp";
import type { AuthorisationId, ConsentId, TppId } from "./values";

/** What a TPP's request names. It is not verified yet when it is looked up, and so decides nothing. */
export type Named = {
  /** Of a certificate that a trusted issuer has issued; a stranger's names nobody. */
  readonly tppId?: TppId | undefined;
  readonly consentId?: ConsentId | undefined;
  readonly fundsConsentId?: ConsentId | undefined;
  /** The access token that comes with it, which this bank has issued. */
  readonly token?: Pick<IssuedToken, "hash" | "grantHash"> | undefined;
};

/** An access token of this bank, expired or not; whether it is still active the look-up says. */
export type IssuedToken = {
  readonly clientId: TppId;
  /** One resource, e.g. `AIS:<consentId>`. */
  readonly scope: string;
  readonly authorisationId: AuthorisationId;
  readonly expiresAt: Date;
  /** base64url of the SHA-256 of the certificate it was issued to (RFC 8705 3.1). */
  readonly thumbprint: string;
  /** Of the grant that it stands on, and its own: as the store has their hashes. */
  readonly grantHash: string;
  readonly hash: string;
};

/** What the bank knows when a request arrives, all as of one instant: the one that it is judged at. */
export type RequestContext = {
  /** What consents, tokens, payments and entries are judged at. */
  readonly now: Date;
  /**
   * What certificates, signatures, the stop list and the requests of a minute are judged at. The same, except for a
   * sandbox's TPP with a clock of its own.
   */
  readonly bankNow: Date;
  /** The TPP that was looked up. */
  readonly tppId: TppId | undefined;
  /** The bank's record of it, if there is one. */
  readonly tpp?: Tpp | undefined;
  /** The order of the stop list that is in force against it. */
  readonly order?: BlockOrder | undefined;
  /** The token that was looked up has not been revoked, and its grant has not ended. Nothing else says so. */
  readonly tokenActive?: boolean | undefined;
  /** The consent that is named, if it is this TPP's. */
  readonly named?: NamedConsent | undefined;
  readonly fundsConsent?: FundsConsent | undefined;
};

export type NamedConsent = { readonly consent: AccountConsent };

/** Loaded for each request: what a server has changed holds for the next request at every server. */
export type RequestContexts = { readonly load: (named: Named) => Promise<RequestContext> };

/** Rejects with 401 CERTIFICATE_BLOCKED, without the reason, when the bank refuses this TPP. */
export async function checkNotBlocked(
  { stopList }: { readonly stopList: Pick<StopList, "find"> },
  tppId: TppId,
  now: Date,
): Promise<void> {
  refuseBlocked(await stopList.find(tppId, now));
}

/** The same for a TPP that was looked up when its request arrived. Throws an Error when another one was looked up. */
export function checkRequestContext(
  { tppId: lookedUp, order }: RequestContext,
  tppId: TppId,
): void {
  if (lookedUp !== tppId) throw new Error("another TPP was looked up than the certificate names");
  refuseBlocked(order);
}

function refuseBlocked(order: BlockOrder | undefined): void {
  if (order === undefined) return;
  const { tppId } = order;
  const end = order.until === undefined ? "" : ` until ${order.until.toISOString()}`;
  throw reject("CERTIFICATE_BLOCKED", `${tppId} is blocked by the bank${end}`);
}

/**
 * How many requests a TPP may send in a minute, counted over all servers. A minute begins with a TPP's
 * first request after the last one.
 */
export type TppAllowance = {
  /** Counts one request; when the minute's are used up, returns the allowance for the answer and counts nothing. */
  readonly take: (tppId: TppId, now: Date) => Promise<Allowance | "admitted">;
};

/**
 * Rejects with 429 ACCESS_EXCEEDED. Called once the certificate is known to be genuine, so that nobody can
 * use up another TPP's requests, and before anything is verified or read that costs more.
 */
export async function admitTpp(
  { tppAllowance }: { readonly tppAllowance: TppAllowance },
  tppId: TppId,
  now: Date,
): Promise<void> {
  const allowance = await tppAllowance.take(tppId, now);
  if (allowance === "admitted") return;
  const text = `${allowance.limit} requests were sent within a minute, which is the limit for a TPP`;
  const wait = Math.max(1, allowance.resetSeconds);
  throw reject("ACCESS_EXCEEDED", text, {
    headers: { ...rateLimitHeaders(allowance), "retry-after": String(wait) },
  });
}

/**
 * Why the address that a TPP named as its PSU's is none a PSU can have called from: it is reserved, not of the
 * public Internet, or the TPP's own.
 */
export type AddressIgnored = "reserved" | "not-public" | "of-the-tpp";

/** How many unattended accesses a consent has, how many are left, and when it gets the next one back. */
export type Allowance = {
  readonly limit: number;
  readonly left: number;
  readonly resetSeconds: number;
  /** Set where the access would have been attended but for the address that was named. */
  readonly addressIgnored?: AddressIgnored;
};

/** What an access yields; `allowance` only when it was unattended, since nothing else is counted. */
export type Served<Content> = {
  readonly content: Content;
  readonly allowance: Allowance | undefined;
};

/**
 * By the names of the IETF's draft on RateLimit header fields, with the seconds to wait in `Reset`; and a
 * name of the bank's own for what would otherwise go unnoticed until the budget is used up.
 */
export function rateLimitHeaders(
  allowance: Allowance | undefined,
): Readonly<Record<string, string>> {
  if (allowance === undefined) return {};
  return {
    "ratelimit-limit": String(allowance.limit),
    "ratelimit-remaining": String(allowance.left),
    "ratelimit-reset": String(allowance.resetSeconds),
    ...(allowance.addressIgnored !== undefined && {
      "psu-ip-address-ignored": allowance.addressIgnored,
    }),
  };
}
