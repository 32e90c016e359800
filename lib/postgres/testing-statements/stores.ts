import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { findPsuByUserId, psuDirectory } from "@/lib/core-bank/psu-directory";
import { accessBudget } from "../access-budget";
import { arrivals } from "../arrivals";
import { auditLog } from "../audit-log";
import { authorisationStore } from "../authorisation-store";
import type { Database } from "../client";
import { consentStore } from "../consent-store";
import { fundsCheck } from "../funds-check";
import { fundsConsentStore } from "../funds-consent-store";
import { messageStore } from "../message-store";
import { oidcModels } from "../oidc-models";
import { overdue } from "../overdue";
import { passkeyStore } from "../passkey-store";
import { paymentStore } from "../payment-store";
import { permissionRecords } from "../permission-records";
import { psuAttempts } from "../psu-attempts";
import { psuLanguages } from "../psu-languages";
import { psuSessionStore } from "../psu-session-store";
import { sandboxClock } from "../sandbox-clock";
import { signInStore } from "../sign-in-store";
import { signInThrottle } from "../sign-in-throttle";
import { stopList } from "../stop-list";
import { textBudget } from "../text-budget";
import { tppAllowance } from "../tpp-allowance";
import { tppRegister } from "../tpp-store";

/** All that asks this database, and what of it has been asked nothing. */
export function watchedStores(db: Database) {
  const unasked = new Set<string>();
  const watched = <Store extends object>(name: string, store: Store): Store => {
    for (const method of Object.keys(store)) unasked.add(`${name}.${method}`);
    return new Proxy(store, {
      get: (target, method) => {
        unasked.delete(`${name}.${String(method)}`);
        return Reflect.get(target, method);
      },
    });
  };
  const stores = {
    clock: watched("clock", sandboxClock(db)),
    arrivals: watched("arrivals", arrivals(db, undefined)),
    tppRegister: watched("tppRegister", tppRegister(db)),
    stopList: watched("stopList", stopList(db)),
    tppAllowance: watched("tppAllowance", tppAllowance(db, 60_000)),
    consents: watched("consents", consentStore(db)),
    fundsConsents: watched("fundsConsents", fundsConsentStore(db)),
    fundsCheck: watched("fundsCheck", fundsCheck(db)),
    payments: watched("payments", paymentStore(db)),
    auditLog: watched("auditLog", auditLog(db)),
    permissionRecords: watched("permissionRecords", permissionRecords(db)),
    authorisations: watched("authorisations", authorisationStore(db)),
    accessBudget: watched("accessBudget", accessBudget(db)),
    psuDirectory: watched("psuDirectory", psuDirectory(db)),
    psuAttempts: watched("psuAttempts", psuAttempts(db)),
    signInThrottle: watched("signInThrottle", signInThrottle(db)),
    psuLanguages: watched("psuLanguages", psuLanguages(db)),
    signIns: watched("signIns", signInStore(db)),
    coreBank: watched("coreBank", ledger(db)),
    textBudget: watched("textBudget", textBudget(db)),
    passkeys: watched("passkeys", passkeyStore(db)),
    psuSessions: watched("psuSessions", psuSessionStore(db)),
    sandboxMessages: watched("sandboxMessages", messageStore(db)),
    models: watched("models", oidcModels(db)),
    overdue: watched("overdue", overdue(db)),
    paymentExecution: watched("paymentExecution", paymentExecution(db)),
    sandboxPsu: findPsuByUserId(db),
  };
  return { stores, unasked };
}

export type WatchedStores = ReturnType<typeof watchedStores>["stores"];
