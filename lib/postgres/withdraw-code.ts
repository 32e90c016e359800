import { and, eq, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import type { Database } from "./client";
import { isOpen } from "./is-open";

const { id, codeFingerprint, codeExpiresAt, codesSent, codesUndelivered } = authorisation;

type Withdrawn = {
  readonly id: AuthorisationId;
  readonly codeFingerprint: string;
  readonly undeliveredMax: number;
  readonly now: Date;
};

/** A newer code that is under way by now stays. */
export async function withdrawCode(db: Database, withdrawn: Withdrawn): Promise<void> {
  const isThis = eq(codeFingerprint, withdrawn.codeFingerprint);
  await db
    .update(authorisation)
    .set({
      codeFingerprint: sql`case when ${isThis} then null else ${codeFingerprint} end`,
      codeExpiresAt: sql`case when ${isThis} then null else ${codeExpiresAt} end`,
      codesSent: sql`case when ${codesUndelivered} < ${withdrawn.undeliveredMax}
        then ${codesSent} - 1 else ${codesSent} end`,
      codesUndelivered: sql`${codesUndelivered} + 1`,
    })
    .where(and(eq(id, withdrawn.id), isOpen("failed", withdrawn.now)));
}
