import { and, asc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { accountConsent, authorisation, fundsConsent } from "@/drizzle/schema/drawbridge";
import { statesBefore } from "@/lib/domain/authorisation";
import type { Overdue } from "@/lib/domain/overdue";
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

/** Read without a lock: each end is a conditional update, so that servers may come to the same rows. */
export function overdue(db: Database): Overdue {
  return {
    authorisations: async (now, limit) => {
      const rows = await db
        .select()
        .from(authorisation)
        .where(and(isOpen, lte(authorisation.expiresAt, now)))
        .orderBy(asc(authorisation.expiresAt))
        .limit(limit);
      return rows.map(toAuthorisation);
    },
    consents: ({ lastDayBefore, recurringSince, oneOffSince }, limit) => {
      const recurring = eq(recurringIndicator, true);
      const ended = or(
        and(isValid, recurring, lt(validUntil, lastDayBefore)),
        and(isValid, recurring, lte(authorisedAt, recurringSince)),
        and(isValid, eq(recurringIndicator, false), lte(authorisedAt, oneOffSince)),
      );
      return selectConsents(db, ended, limit);
    },
    fundsConsents: (today, limit) =>
      selectFundsConsents(db, and(isValidFunds, lt(fundsConsent.cardExpiryDate, today)), limit),
  };
}
