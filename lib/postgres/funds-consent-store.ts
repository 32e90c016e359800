import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { fundsConsent } from "@/drizzle/schema/drawbridge";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { FundsConsentStore } from "@/lib/domain/funds-confirmation/funds-consent-store";
import { isUuid } from "@/lib/domain/identifiers";
import type { Database } from "./client";
import { endFundsConsent } from "./end-funds-consent";
import { fromFundsConsent, toFundsConsent } from "./funds-consent-row";
import { givenTable } from "./given-row";
import { startingWith } from "./start-authorisation";

const consents = givenTable(fundsConsent);

/** An id that is no UUID names no consent: it is answered like any other unknown one. */
export function fundsConsentStore(db: Database): FundsConsentStore {
  const start = startingWith(db, consents);
  const one = (name: string, where: SQL | undefined) => {
    const statement = fundsConsentRows(db, where, 1).prepare(name);
    return async (id: string, given = {}) => {
      if (!isUuid(id)) return undefined;
      const [row] = await statement.execute({ id, ...given });
      return row && toFundsConsent(row);
    };
  };
  const id = sql.placeholder("id");
  const isTpps = eq(fundsConsent.tppId, sql.placeholder("tppId"));
  const ofTpp = one("funds_consent_of_tpp", and(eq(fundsConsent.id, id), isTpps));
  return {
    insert: (consent, started, openMax) => start(started, fromFundsConsent(consent), openMax),
    find: one("funds_consent_by_id", eq(fundsConsent.id, id)),
    findOfTpp: (consentId, tppId) => ofTpp(consentId, { tppId }),
    findByAuthorisation: one(
      "funds_consent_of_authorisation",
      eq(fundsConsent.authorisationId, id),
    ),
    end: (transition) => endFundsConsent(db, transition),
  };
}

/** The card that ran out first comes first. */
function fundsConsentRows(db: Database, where: SQL | undefined, limit: number) {
  return db
    .select()
    .from(fundsConsent)
    .where(where)
    .orderBy(asc(fundsConsent.cardExpiryDate))
    .limit(limit);
}

export async function selectFundsConsents(
  db: Database,
  where: SQL | undefined,
  limit: number,
): Promise<readonly FundsConsent[]> {
  return (await fundsConsentRows(db, where, limit)).map(toFundsConsent);
}
