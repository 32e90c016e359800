import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import type { PasskeyId } from "../../../lib/domain/passkeys";
import { type AttemptMeans, attemptMeans, type UserKey } from "../../../lib/domain/psu-attempts";
import type { ThrottleKey } from "../../../lib/domain/sign-in-throttle";
import { bothOrNeither, instant, oneOf, psuId } from "../columns";

const sessionMeans = [...attemptMeans, "oidc"] as const;
type SessionMeans = (typeof sessionMeans)[number];
const purposes = ["authorisation", "own-channel"] as const;

/**
 * A PSU's sign-in; the browser's cookie only points here, so that it can be ended here. One of an
 * authorisation opens nothing of the bank's own channel, and vice versa.
 */
export const psuSession = pgTable(
  "psu_session",
  (t) => ({
    idHash: t.text("id_hash").primaryKey(),
    psuId: psuId().notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    revokedAt: instant("revoked_at"),
    purpose: t
      .text("purpose")
      .$type<(typeof purposes)[number]>()
      .notNull()
      .default("authorisation"),
    /** Own channel only: null while the password alone has been proved, which opens nothing yet. */
    scaDoneAt: instant("sca_done_at"),
    /** Own channel only: what was proved last. */
    means: t.text("means").$type<SessionMeans>(),
    codeFingerprint: t.text("code_fingerprint"),
    codeExpiresAt: instant("code_expires_at"),
    codesSent: t.smallint("codes_sent").notNull().default(0),
    passkeyNonce: t.text("passkey_nonce"),
    passkeyExpiresAt: instant("passkey_expires_at"),
  }),
  (row) => [
    index("psu_session_age").on(row.purpose, row.createdAt),
    check("psu_session_purpose", oneOf(row.purpose, purposes)),
    check("psu_session_means", oneOf(row.means, sessionMeans)),
    check("psu_session_challenge_whole", bothOrNeither(row.codeFingerprint, row.codeExpiresAt)),
    check(
      "psu_session_passkey_challenge_whole",
      bothOrNeither(row.passkeyNonce, row.passkeyExpiresAt),
    ),
    check(
      "psu_session_of_authorisation",
      sql`${row.purpose} = 'own-channel' or num_nonnulls(${row.scaDoneAt}, ${row.codeFingerprint}, ${row.passkeyNonce}) = 0`,
    ),
  ],
);

/**
 * The public halves of the PSUs' passkeys, apart from their passwords: who gets at one of the two
 * elements has not got the other (RTS art. 9). A removed one stays, so that it never comes back.
 */
export const psuPasskey = pgTable(
  "psu_passkey",
  (t) => ({
    id: t.uuid("id").$type<PasskeyId>().primaryKey(),
    credentialId: t.text("credential_id").notNull().unique(),
    psuId: psuId().notNull(),
    publicKey: t.text("public_key").notNull(),
    counter: t.bigint("counter", { mode: "number" }).notNull(),
    transports: t.text("transports").array().notNull(),
    name: t.text("name").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    removedAt: instant("removed_at"),
  }),
  (row) => [
    index("psu_passkey_of_psu").on(row.psuId, row.createdAt),
    check("psu_passkey_counter", sql`${row.counter} >= 0`),
  ],
);

/**
 * Failures in a row of one user ID, over all authorisations, sessions and servers (RTS art. 4(3)(b)).
 * Whether it is blocked follows from these columns and the profile's limits.
 */
export const psuAttempts = pgTable(
  "psu_attempts",
  (t) => ({
    userKey: t.text("user_key").$type<UserKey>().primaryKey(),
    /** Passwords, codes and passkeys together, since the last block or success. */
    failures: t.smallint("failures").notNull(),
    /** Codes and passkeys alone, since the last success: only these block for good. */
    secondFailures: t.smallint("second_failures").notNull().default(0),
    lastAt: instant("last_at").notNull(),
    /** Of the latest attempt. */
    means: t.text("means").$type<AttemptMeans>().notNull().default(attemptMeans[0]),
    /** False while the attempt that would block is being judged. */
    judged: t.boolean("judged").notNull().default(true),
    /** How many of the notices of `blockNotices` have been due since the last success. */
    noticesDue: t.smallint("notices_due").notNull().default(0),
  }),
  (row) => [
    index("psu_attempts_age").on(row.lastAt),
    check("psu_attempts_means", oneOf(row.means, attemptMeans)),
    check("psu_attempts_failures", sql`${row.failures} >= 0 and ${row.secondFailures} >= 0`),
  ],
);

/** Wrong passwords of one network, and of one network for one user ID, under a keyed fingerprint. */
export const signInThrottle = pgTable(
  "sign_in_throttle",
  (t) => ({
    key: t.text("key").$type<ThrottleKey>().primaryKey(),
    failures: t.smallint("failures").notNull(),
    since: instant("since").notNull(),
    lastAt: instant("last_at").notNull(),
  }),
  (row) => [index("sign_in_throttle_age").on(row.lastAt)],
);

/** In which language a PSU last completed SCA: notices that a stranger causes are written in it. */
export const psuLanguage = pgTable("psu_language", (t) => ({
  psuId: psuId().primaryKey(),
  language: t.text("language").notNull(),
}));

/** When a PSU was last sent texts with codes; no more instants than there may be texts in an hour. */
export const psuTextBudget = pgTable("psu_text_budget", {
  psuId: psuId().primaryKey(),
  sent: instant("sent").array().notNull(),
});
