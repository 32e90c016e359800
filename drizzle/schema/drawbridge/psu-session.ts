import { sql } from "drizzle-orm";
import { check, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";
import { instant, oneOf } from "../columns";

const purposes = ["authorisation", "own-channel"] as const;

/**
 * A PSU's sign-in; the browser's cookie only points here, so that it can be ended here. One of an
 * authorisation opens nothing of the bank's own channel, nor the other way round.
 */
export const psuSession = pgTable(
  "psu_session",
  {
    idHash: text("id_hash").primaryKey(),
    psuId: text("psu_id").$type<PsuId>().notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    revokedAt: instant("revoked_at"),
    purpose: text("purpose").$type<(typeof purposes)[number]>().notNull().default("authorisation"),
    /** Own channel only: null while the password alone has been proved, which opens nothing yet. */
    scaDoneAt: instant("sca_done_at"),
    codeFingerprint: text("code_fingerprint"),
    codeExpiresAt: instant("code_expires_at"),
    codesSent: smallint("codes_sent").notNull().default(0),
    passkeyNonce: text("passkey_nonce"),
    passkeyExpiresAt: instant("passkey_expires_at"),
  },
  (row) => [
    index("psu_session_age").on(row.purpose, row.createdAt),
    check("psu_session_purpose", oneOf(row.purpose, purposes)),
    check(
      "psu_session_challenge_whole",
      sql`(${row.codeFingerprint} is null) = (${row.codeExpiresAt} is null)`,
    ),
    check(
      "psu_session_passkey_challenge_whole",
      sql`(${row.passkeyNonce} is null) = (${row.passkeyExpiresAt} is null)`,
    ),
    check(
      "psu_session_of_authorisation",
      sql`${row.purpose} = 'own-channel' or num_nonnulls(${row.scaDoneAt}, ${row.codeFingerprint}, ${row.passkeyNonce}) = 0`,
    ),
  ],
);
