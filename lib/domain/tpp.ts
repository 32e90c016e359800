import type { TppId } from "./values";

/** PSD2 roles by ETSI TS 119 495; PSP_AS alone opens nothing here. */
export type Psd2Role = "PSP_AS" | "PSP_PI" | "PSP_AI" | "PSP_IC";

/** A TPP is what its certificate says: there is no registration (PSD2 art. 66, 67: no contract needed). */
export type Tpp = {
  readonly id: TppId;
  /** organizationName of the certificate, for the PSU's eyes. */
  readonly name: string;
  /** The competent authority, e.g. `National Bank of Romania` and `RO-NBR`. */
  readonly authorityName: string;
  readonly authorityId: string;
  readonly roles: readonly Psd2Role[];
};

/**
 * ETSI TS 119 495 5.2.1: PSD, country and short name of the competent authority, and the number it
 * gave. The number is held to visible ASCII because the identifier is also the OAuth `client_id`.
 */
const ORGANIZATION_IDENTIFIER = /^PSD[A-Z]{2}-[A-Z]{2,8}-[\x21-\x7E]+$/;

export function isTppId(text: string): text is TppId {
  return ORGANIZATION_IDENTIFIER.test(text);
}

/** The TPPs that have sent a request to this bank. */
export type TppRegister = {
  /** Keeps the TPP as its certificate names it now, with the roles of all its QWACs that are in their period. */
  readonly remember: (tpp: Tpp, now: Date) => Promise<void>;
  readonly find: (id: TppId) => Promise<Tpp | undefined>;
  /** Whether a QWAC of the TPP that is in its period has the role. */
  readonly hasQwacFor: (role: Psd2Role, id: TppId, now: Date) => Promise<boolean>;
};

/** A certificate by which a TPP has called or signed, as it was first seen. */
export type TppCertificate = {
  readonly kind: "QWAC" | "QSEAL";
  /** base64url of the SHA-256 of its DER. */
  readonly thumbprint: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly issuer: string;
  readonly notAfter: Date;
  readonly firstSeenAt: Date;
};

export type SeenCertificate = Omit<TppCertificate, "firstSeenAt"> & {
  /** Of a QWAC. */
  readonly roles?: readonly Psd2Role[];
};

/** A TPP as the bank has come to know it. */
export type KnownTpp = Tpp & {
  /** When its certificates last named it otherwise. */
  readonly changedAt: Date;
  /** Those that ended last come first. */
  readonly certificates: readonly TppCertificate[];
  readonly blocked?: BlockOrder;
};

/** The TPPs that have called this bank, and their certificates. */
export type SeenTpps = {
  /** Those that are on record stay as they are; a QWAC that is there without its roles gets them. */
  readonly keepCertificates: (
    tppId: TppId,
    certificates: readonly [SeenCertificate, ...SeenCertificate[]],
    now: Date,
  ) => Promise<void>;
  /** The roles of a QWAC that its issuer has revoked no longer count. */
  readonly endRoles: (
    tppId: TppId,
    qwac: Pick<SeenCertificate, "serialNumber" | "issuer">,
    now: Date,
  ) => Promise<void>;
  /** By their ids. */
  readonly list: (
    page: { readonly after?: TppId | undefined; readonly limit: number },
    now: Date,
  ) => Promise<readonly KnownTpp[]>;
  readonly find: (id: TppId, now: Date) => Promise<KnownTpp | undefined>;
};

type SeenTpp = {
  readonly tpp: Tpp;
  /** The bank's record of this TPP when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly now: Date;
};

/**
 * Records the TPP as its certificate names it, which is its only registration; not written when nothing has changed. Of a TPP
 * with a QWAC for each role the record has more roles than the certificate, and the register is asked each time.
 */
export async function upsertTpp(
  { tppRegister }: { readonly tppRegister: TppRegister },
  { tpp, knownTpp, now }: SeenTpp,
): Promise<void> {
  if (knownTpp === undefined || !isSameTpp(tpp, knownTpp)) await tppRegister.remember(tpp, now);
}

function isSameTpp(one: Tpp, other: Tpp): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.authorityName === other.authorityName &&
    one.authorityId === other.authorityId &&
    one.roles.toSorted().join() === other.roles.toSorted().join()
  );
}

/**
 * The order to refuse a TPP (PSD2 art. 68(5)), the bank's own or an authority's that it follows. It ends at
 * `until`; without it, when it is lifted.
 */
export type BlockOrder = {
  readonly tppId: TppId;
  /** For the bank only: neither TPP nor PSU sees it. */
  readonly reason?: string;
  readonly blockedAt: Date;
  readonly until?: Date;
};

export type Blocking =
  | { readonly outcome: "blocked" }
  /** By an order that ends no earlier: nothing has changed. */
  | { readonly outcome: "blocked-already"; readonly until?: Date }
  /** `until` is not after `blockedAt`: nothing has changed. */
  | { readonly outcome: "over-already" };

/** An order holds until its end, and at that instant no more. */
export function isBlockInForce({ until }: Pick<BlockOrder, "until">, now: Date): boolean {
  return until === undefined || now < until;
}

/** The TPPs the bank refuses. Every server reads it at each request, so an order holds from the next one on. */
export type StopList = {
  /** The order in force, if there is one. */
  readonly find: (tppId: TppId, now: Date) => Promise<BlockOrder | undefined>;
  /**
   * Of two orders for one TPP the one that ends later holds, whichever was first: a block never ends
   * another one sooner.
   */
  readonly block: (order: BlockOrder) => Promise<Blocking>;
  /** False when no order was in force. */
  readonly unblock: (tppId: TppId, now: Date) => Promise<boolean>;
  /** The orders in force, the oldest first. */
  readonly list: (now: Date) => Promise<readonly BlockOrder[]>;
};
