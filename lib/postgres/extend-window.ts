import { and, eq, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { toAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { isOpen } from "./is-open";

const { id, expiresAt } = authorisation;

/** Only while it runs: what the sweep is about to end is not brought back. */
export async function extendWindow(
  db: Database,
  which: AuthorisationId,
  until: Date,
  now: Date,
): Promise<Authorisation | undefined> {
  const [row] = await db
    .update(authorisation)
    .set({ expiresAt: sql`greatest(${expiresAt}, ${sql.param(until, expiresAt)})` })
    .where(and(eq(id, which), isOpen("failed", now)))
    .returning();
  return row && toAuthorisation(row);
}
