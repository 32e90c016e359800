import { and, eq, type SQL, sql } from "drizzle-orm";
import { accountConsent } from "@/drizzle/schema/drawbridge";
import type { ConsentStore } from "@/lib/domain/consent/consent-store";
import { isUuid } from "@/lib/domain/identifiers";
import type { Database } from "./client";
import { consentRows, fromConsent, toConsent } from "./consent-row";
import { endConsent } from "./end-consent";
import { givenTable } from "./given-row";
import { startingWith } from "./start-authorisation";

const consents = givenTable(accountConsent);

/** An id that is no UUID names no consent: it is answered like any other unknown one. */
export function consentStore(db: Database): ConsentStore {
  const start = startingWith(db, consents);
  const one = (name: string, where: SQL | undefined) => {
    const statement = consentRows(db, where, 1).prepare(name);
    return async (id: string, given = {}) => {
      if (!isUuid(id)) return undefined;
      const [row] = await statement.execute({ id, ...given });
      return row && toConsent(row.consent, row.grants);
    };
  };
  const id = sql.placeholder("id");
  const isTpps = eq(accountConsent.tppId, sql.placeholder("tppId"));
  const ofTpp = one("consent_of_tpp", and(eq(accountConsent.id, id), isTpps));
  return {
    insert: (consent, started, openMax) => start(started, fromConsent(consent), openMax),
    find: one("consent_by_id", eq(accountConsent.id, id)),
    findOfTpp: (consentId, tppId) => ofTpp(consentId, { tppId }),
    findByAuthorisation: one("consent_of_authorisation", eq(accountConsent.authorisationId, id)),
    end: (transition) => endConsent(db, transition),
  };
}
