import { and, eq } from "drizzle-orm";
import { accountConsent, authorisation } from "@/drizzle/schema";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { ConsentStore } from "@/lib/domain/consent/consent-store";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { fromAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { fromConsent, selectConsent } from "./consent-row";
import { endConsent } from "./end-consent";

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

/** One statement for both rows. */
async function insert(db: Database, consent: AccountConsent, started: Authorisation) {
  const authorise = db
    .$with("started")
    .as(
      db
        .insert(authorisation)
        .values(fromAuthorisation(started))
        .returning({ id: authorisation.id }),
    );
  await db.with(authorise).insert(accountConsent).values(fromConsent(consent));
}
