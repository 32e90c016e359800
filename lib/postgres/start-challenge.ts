import { and, eq, gt, lt, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { AuthorisationStore } from "@/lib/domain/sca/authorisation-store";
import type { Database } from "./client";
import { isOpen } from "./is-open";

const { id, scaStatus, selection, codesSent, passkeyNonce, passkeyExpiresAt } = authorisation;

type Starting = Pick<AuthorisationStore, "select" | "startChallenge" | "startPasskeyChallenge">;

/** What the PSU is asked to prove; each is one conditional update. */
export function startingChallenges(db: Database): Starting {
  return {
    select: async (which, chosen, now) => {
      const rows = await db
        .update(authorisation)
        .set({
          scaStatus: "started",
          selection: [...chosen],
          codeFingerprint: null,
          codeExpiresAt: null,
          passkeyNonce: null,
          passkeyExpiresAt: null,
        })
        .where(and(eq(id, which), isOpen("started", now)))
        .returning({ id });
      return rows.length === 1;
    },

    startPasskeyChallenge: async (which, shown, { nonce, expiresAt }, now) => {
      const rows = await db
        .update(authorisation)
        .set({ passkeyNonce: nonce, passkeyExpiresAt: expiresAt })
        .where(
          and(
            eq(id, which),
            eq(scaStatus, "started"),
            eq(selection, [...shown]),
            gt(authorisation.expiresAt, now),
          ),
        )
        .returning({ id });
      return rows.length === 1;
    },

    startChallenge: async (which, chosen, challenge, codesSentMax, now) => {
      // A passkey that was asked for something else is asked for nothing any more.
      const same = eq(selection, [...chosen]);
      const rows = await db
        .update(authorisation)
        .set({
          scaStatus: "started",
          selection: [...chosen],
          codeFingerprint: challenge.codeFingerprint,
          codeExpiresAt: challenge.expiresAt,
          codesSent: sql`${codesSent} + 1`,
          passkeyNonce: sql`case when ${same} then ${passkeyNonce} end`,
          passkeyExpiresAt: sql`case when ${same} then ${passkeyExpiresAt} end`,
        })
        .where(and(eq(id, which), isOpen("started", now), lt(codesSent, codesSentMax)))
        .returning({ id });
      return rows.length === 1;
    },
  };
}
