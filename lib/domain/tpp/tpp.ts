import type { TppId } from "../identifiers";

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
