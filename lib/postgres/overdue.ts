import { and, asc, type Column, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { accountConsent, authorisation, fundsConsent } from "@/drizzle/schema/drawbridge";
import { statesBefore } from "@/lib/domain/authorisation";
import type { Overdue } from "@/lib/domain/overdue";
import type { TppId } from "@/lib/domain/values";
import { toAuthorisation } from "./authorisation-rows";
import type { Database } from "./client";
import { selectConsents } from "./consents";
import { selectFundsConsents } from "./funds";

const { status, recurringIndicator, validUntil, authorisedAt } = accountConsent;
const isOpen = and(
  isNull(authorisation.decidedAt),
  inArray(authorisation.scaStatus, statesBefore("failed")),
);
/** Written out, not as a parameter, and in each branch: only so do the indexes of what is valid apply. */
const isValid = sql`${status} = 'valid'`;
const isValidFunds = sql`${fundsConsent.status} = 'valid'`;

const ofTpp = (column: Column, tppId: TppId | undefined) =>
  tppId === undefined ? undefined : eq(column, tppId);

/** Read without a lock: each end is a conditional update, so that servers may come to the same rows. */
export function overdue(db: Database): Overdue {
  return {
    authorisations: async (now, limit, tppId) => {
      const rows = await db
        .select()
        .from(authorisation)
        .where(and(isOpen, lte(authorisation.expiresAt, now), ofTpp(authorisation.tppId, tppId)))
        .orderBy(asc(authorisation.expiresAt))
        .limit(limit);
      return rows.map(toAuthorisation);
    },
    consents: ({ lastDayBefore, recurringSince, oneOffSince }, limit, tppId) => {
      const recurring = eq(recurringIndicator, true);
      const ended = or(
        and(isValid, recurring, lt(validUntil, lastDayBefore)),
        and(isValid, recurring, lte(authorisedAt, recurringSince)),
        and(isValid, eq(recurringIndicator, false), lte(authorisedAt, oneOffSince)),
      );
      return selectConsents(db, and(ended, ofTpp(accountConsent.tppId, tppId)), limit);
    },
    fundsConsents: (today, limit, tppId) => {
      const ended = and(isValidFunds, lt(fundsConsent.cardExpiryDate, today));
      return selectFundsConsents(db, and(ended, ofTpp(fundsConsent.tppId, tppId)), limit);
    },
  };
}
