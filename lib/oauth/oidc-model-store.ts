import { createHash } from "node:crypto";

/** Ids are codes and tokens: whoever reads the database must not be able to redeem them. */
export function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/** What oidc-provider keeps between requests, as JSON. */
export type OidcPayload = Readonly<Record<string, unknown>>;

/** What a payload can be found by besides its id; `accountId` is the AuthorisationId. */
export type OidcPayloadKeys = {
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly accountId?: string | undefined;
};

export type StoredOidcPayload = {
  readonly payload: OidcPayload;
  readonly expiresAt: Date;
  readonly consumedAt: Date | undefined;
};

/** Storage for the authorisation server; it is given hashes of ids and never an id itself. */
export type OidcModelStore = {
  readonly upsert: (
    model: string,
    idHash: string,
    payload: OidcPayload,
    expiresAt: Date,
    keys: OidcPayloadKeys,
  ) => Promise<void>;
  /** Nothing that has expired by `now`. */
  readonly find: (
    model: string,
    idHash: string,
    now: Date,
  ) => Promise<StoredOidcPayload | undefined>;
  /** One conditional update: true for a single caller, however many come at once. */
  readonly consume: (model: string, idHash: string, now: Date) => Promise<boolean>;
  /**
   * Uses a refresh token, in one statement: true while it is the newest of its grant, and until
   * `graceSeconds` after it was first used, unless the one that came of it has been used by then.
   */
  readonly rotate: (idHash: string, now: Date, graceSeconds: number) => Promise<boolean>;
  readonly destroy: (model: string, idHash: string) => Promise<void>;
  /** Deletes the grant and whatever was issued on it. */
  readonly revokeByGrant: (grantId: string) => Promise<void>;
};
