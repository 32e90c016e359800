type OidcPayload = Readonly<Record<string, unknown>>;

/** The keys of a payload besides its id; `accountId` is the AuthorisationId. */
type OidcPayloadKeys = {
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly accountId?: string | undefined;
};

export type StoredOidcPayload = {
  readonly payload: OidcPayload;
  readonly expiresAt: Date;
  readonly consumedAt: Date | undefined;
};

/** Storage for the authorisation server; it gets hashes of ids and never an id. */
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
  /** One conditional update: true for one of several concurrent callers. */
  readonly consume: (model: string, idHash: string, now: Date) => Promise<boolean>;
  /**
   * Uses a refresh token, in one statement: true while it is the newest of its grant, and until
   * `graceSeconds` after it was first used, unless the token it was exchanged for has been used by then.
   */
  readonly rotate: (idHash: string, now: Date, graceSeconds: number) => Promise<boolean>;
  readonly destroy: (model: string, idHash: string) => Promise<void>;
  /** Deletes the grant and everything issued on it. */
  readonly revokeByGrant: (grantId: string) => Promise<void>;
};
