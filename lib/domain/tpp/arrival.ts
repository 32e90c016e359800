import type { AccountConsent } from "../consent/account-consent";
import type { FundsConsent } from "../funds-confirmation/funds-consent";
import type { ConsentId, TppId } from "../identifiers";
import type { BlockOrder } from "./stop-list";
import type { Tpp } from "./tpp";

/**
 * Whom and what a TPP's request names. Nothing of it has been proved when it is looked up: it says what
 * to look for, and decides nothing.
 */
export type Named = {
  /** Of a certificate that a trusted issuer has issued; a stranger's names nobody. */
  readonly tppId?: TppId | undefined;
  readonly consentId?: ConsentId | undefined;
  readonly fundsConsentId?: ConsentId | undefined;
  /** The access token that comes with it, which this bank has issued. */
  readonly token?: TokenHashes | undefined;
};

/** What an access token is found by, and the grant that it stands on. */
export type TokenHashes = { readonly hash: string; readonly grantHash: string };

/** What the bank knows when a request arrives, all as of one instant: the one that it is judged at. */
export type Arrival = {
  readonly now: Date;
  /** The TPP that was looked up. */
  readonly tppId: TppId | undefined;
  /** As its latest certificate named it, if this bank has met it. */
  readonly tpp?: Tpp | undefined;
  /** The order of the stop list that is in force against it. */
  readonly order?: BlockOrder | undefined;
  /** The token that was looked up has not been revoked, and its grant has not ended. Nothing else says so. */
  readonly tokenLives?: boolean | undefined;
  /** The consent that is named, if it is this TPP's. */
  readonly named?: NamedConsent | undefined;
  readonly fundsConsent?: FundsConsent | undefined;
};

export type NamedConsent = { readonly consent: AccountConsent };

/** Read anew at each request: what a server has changed holds for the next request on any of them. */
export type Arrivals = { readonly look: (named: Named) => Promise<Arrival> };
