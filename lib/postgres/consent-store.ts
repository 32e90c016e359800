import { and, eq } from "drizzle-orm";
import { accountConsent } from "@/drizzle/schema";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { ConsentStore } from "@/lib/domain/consent/consent-store";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { Database } from "./client";
import { fromConsent, selectConsent } from "./consent-row";
import { endConsent } from "./end-consent";
import { startAuthorisation } from "./start-authorisation";

/** An id that is no UUID names no consent: it is answered like any other unknown one. */
export function consentStore(db: Database): ConsentStore {
  return {
    insert: (consent, started) => insert(db, consent, started),
    find: async (id) => (isUuid(id) ? selectConsent(db, eq(accountConsent.id, id)) : undefined),
    findOfTpp: async (id, tppId) =>
      isUuid(id)
        ? selectConsent(db, and(eq(accountConsent.id, id), eq(accountConsent.tppId, tppId)))
        : undefined,
    findByAuthorisation: async (id) =>
      isUuid(id) ? selectConsent(db, eq(accountConsent.authorisationId, id)) : undefined,
    end: (transition) => endConsent(db, transition),
  };
}

/** The unique request id decides between two that arrive together: the later one starts nothing. */
function insert(db: Database, consent: AccountConsent, started: Authorisation): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await startAuthorisation(tx, started))) return false;
    await tx.insert(accountConsent).values(fromConsent(consent));
    return true;
  });
}
