import type { TppId } from "@/lib/domain/identifiers";

/** A token this bank issued, whether or not its time is over. */
export type AccessToken = {
  readonly clientId: TppId;
  /** One resource: `AIS:<consentId>`. */
  readonly scope: string;
  readonly expiresAt: Date;
  /** `x5t#S256` of the certificate it is bound to (RFC 8705). */
  readonly thumbprint: string;
  /** Of the grant that it stands on, and its own. */
  readonly grantHash: string;
  readonly hash: string;
};

/** Reads what is genuine; undefined for everything else. */
export type AccessTokens = { readonly read: (token: string) => Promise<AccessToken | undefined> };
