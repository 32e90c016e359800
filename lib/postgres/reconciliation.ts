import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, or } from "drizzle-orm";
import { coreBankFeed, payment, paymentState } from "@/drizzle/schema/drawbridge";
import type { ReconciliationStore } from "@/lib/domain/reconciliation";
import type { Database } from "./client";
import { selectPayments } from "./payments";

export function reconciliationStore(db: Database): ReconciliationStore {
  const isAuthorised = isNotNull(paymentState.authorisedAt);
  return {
    find: (ids) => selectPayments(db, inArray(payment.id, ids)),

    authorisedSince: (since, { after, limit }) => {
      const isRecent = or(gte(paymentState.authorisedAt, since), gte(paymentState.statusAt, since));
      const following = after === undefined ? undefined : gt(payment.id, after);
      return selectPayments(db, and(isAuthorised, isRecent, following), {
        orderBy: asc(payment.id),
        limit,
      });
    },

    feedPosition: async () => {
      const [row] = await db.select().from(coreBankFeed);
      return row?.position ?? undefined;
    },

    moveFeedPosition: async (from, to) => {
      await db.insert(coreBankFeed).values({}).onConflictDoNothing();
      const unmoved =
        from === undefined ? isNull(coreBankFeed.position) : eq(coreBankFeed.position, from);
      await db
        .update(coreBankFeed)
        .set({ position: to ?? null })
        .where(unmoved);
    },
  };
}
