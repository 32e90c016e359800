import type { AccessBudget } from "./account-access/access-budget";
import type { AccountSource } from "./account-access/account-source";
import type { AspspProfile } from "./aspsp-profile";
import type { AuditLog } from "./audit/audit-log";
import type { Clock } from "./clock";
import type { ConsentStore } from "./consent/consent-store";
import type { FundsCheck } from "./funds-confirmation/funds-check";
import type { FundsConsentStore } from "./funds-confirmation/funds-consent-store";
import type { PaymentStore } from "./payment/payment-store";
import type { AuthorisationStore } from "./sca/authorisation-store";
import type { OneTimeCodes } from "./sca/one-time-codes";
import type { PsuAttempts } from "./sca/psu-attempts";
import type { PsuDirectory } from "./sca/psu-directory";
import type { StopList } from "./tpp/stop-list";
import type { TppRegister } from "./tpp/tpp-register";

/** All that the domain's use cases ask of the world. Each takes the few it needs with `Pick`. */
export type Ports = {
  readonly profile: AspspProfile;
  readonly clock: Clock;
  readonly tppRegister: TppRegister;
  readonly stopList: StopList;
  readonly consents: ConsentStore;
  readonly fundsConsents: FundsConsentStore;
  readonly payments: PaymentStore;
  readonly authorisations: AuthorisationStore;
  readonly psuDirectory: PsuDirectory;
  readonly psuAttempts: PsuAttempts;
  readonly oneTimeCodes: OneTimeCodes;
  readonly accountSource: AccountSource;
  readonly accessBudget: AccessBudget;
  readonly fundsCheck: FundsCheck;
  readonly auditLog: AuditLog;
};
