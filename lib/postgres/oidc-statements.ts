import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema/drawbridge";
import type { Database } from "./client";

const { model, idHash, uid, payload, expiresAt, consumedAt } = oidcPayload;
const given = (name: string) => sql.placeholder(name);
const now = sql`${given("now")}::timestamptz`;
const named = and(eq(model, given("kind")), eq(idHash, given("hash")));
const live = gt(expiresAt, now);

/**
 * What TPPs and PSUs ask the authorisation server's storage for, prepared: of a statement that is not, the driver asks
 * PostgreSQL for the types each time, and whatever else was to go over that connection waits meanwhile. Many refresh
 * their tokens at one instant.
 */
export function oidcStatements(db: Database) {
  const stored = (which: SQL | undefined) =>
    db.select({ payload, expiresAt, consumedAt }).from(oidcPayload).where(and(which, live));
  const ofUid = and(eq(model, given("kind")), eq(uid, given("uid")));
  return {
    byHash: stored(named).prepare("oidc_by_hash"),
    byUid: stored(ofUid).prepare("oidc_by_uid"),
    save: saveStatement(db),
    consume: db
      .update(oidcPayload)
      .set({ consumedAt: now })
      .where(and(named, isNull(consumedAt), live))
      .returning({ model })
      .prepare("oidc_consume"),
    destroy: db.delete(oidcPayload).where(named).prepare("oidc_destroy"),
  };
}

/** Saving again what was consumed does not make it unused: `consumed_at` stays as it is. */
function saveStatement(db: Database) {
  const row = {
    payload: given("payload"),
    expiresAt: given("expiresAt"),
    grantId: given("grantId"),
    uid: given("uid"),
    accountId: given("accountId"),
  };
  const set = {
    payload: sql`excluded.payload`,
    expiresAt: sql`excluded.expires_at`,
    grantId: sql`excluded.grant_id`,
    uid: sql`excluded.uid`,
    accountId: sql`excluded.account_id`,
  };
  return db
    .insert(oidcPayload)
    .values({ model: given("kind"), idHash: given("hash"), ...row })
    .onConflictDoUpdate({ target: [model, idHash], set })
    .prepare("oidc_save");
}
