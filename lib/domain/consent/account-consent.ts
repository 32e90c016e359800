import type { Iban } from "../iban";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  PsuId,
  ResourceId,
  TppId,
} from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Currency } from "../money";
import type { AccessRequest, AccessRights } from "./access-request";
import type { ConsentStatus } from "./consent-status";

/** An account the PSU shared: what the TPP may read of it, and under which name. */
export type GrantedAccount = {
  readonly resourceId: ResourceId;
  readonly accountId: AccountId;
  readonly iban: Iban;
  readonly currency: Currency;
  readonly rights: AccessRights;
};

export type AccountConsent = {
  readonly id: ConsentId;
  readonly tppId: TppId;
  readonly authorisationId: AuthorisationId;
  readonly status: ConsentStatus;
  /** The access object word for word, for the TPP's GET before the PSU has chosen. */
  readonly requestedAccess: unknown;
  readonly access: AccessRequest;
  readonly recurringIndicator: boolean;
  /** The last day, inclusive, in the bank's local days. */
  readonly validUntil: IsoDate;
  readonly frequencyPerDay: number;
  readonly createdAt: Date;
  /** The local day of the last change of status. */
  readonly lastActionDate: IsoDate;
  /** Set once the PSU has authorised it. */
  readonly psuId?: PsuId | undefined;
  readonly authorisedAt?: Date | undefined;
  readonly grantedAccounts: readonly GrantedAccount[];
};
