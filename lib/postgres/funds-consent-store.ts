import { and, asc, eq, type SQL } from "drizzle-orm";
import { fundsConsent } from "@/drizzle/schema";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { FundsConsentStore } from "@/lib/domain/funds-confirmation/funds-consent-store";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { Database } from "./client";
import { endFundsConsent } from "./end-funds-consent";
import { fromFundsConsent, toFundsConsent } from "./funds-consent-row";
import { startAuthorisation } from "./start-authorisation";

/** An id that is no UUID names no consent: it is answered like any other unknown one. */
export function fundsConsentStore(db: Database): FundsConsentStore {
  const one = async (id: string, where: SQL | undefined) =>
    isUuid(id) ? (await selectFundsConsents(db, where, 1))[0] : undefined;
  return {
    insert: (consent, started) => insert(db, consent, started),
    find: (id) => one(id, eq(fundsConsent.id, id)),
    findOfTpp: (id, tppId) => one(id, and(eq(fundsConsent.id, id), eq(fundsConsent.tppId, tppId))),
    findByAuthorisation: (id) => one(id, eq(fundsConsent.authorisationId, id)),
    end: (transition) => endFundsConsent(db, transition),
  };
}

/** The card that ran out first comes first. */
export async function selectFundsConsents(
  db: Database,
  where: SQL | undefined,
  limit: number,
): Promise<readonly FundsConsent[]> {
  const rows = await db
    .select()
    .from(fundsConsent)
    .where(where)
    .orderBy(asc(fundsConsent.cardExpiryDate))
    .limit(limit);
  return rows.map(toFundsConsent);
}

/** The unique request id decides between two that arrive together: the later one starts nothing. */
function insert(db: Database, consent: FundsConsent, started: Authorisation): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await startAuthorisation(tx, started))) return false;
    await tx.insert(fundsConsent).values(fromFundsConsent(consent));
    return true;
  });
}
