import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import { type ReadKind, readKinds } from "../../../lib/domain/account-access";
import type { AccountId, ConsentId, RequestId, TppId } from "../../../lib/domain/values";
import { instant, oneOf } from "../columns";

/**
 * What TPPs have read, for the eyes of the PSUs whose accounts they are: never an amount, a name or
 * an IBAN. A consent is in one of two tables, so there is no foreign key. Never changed: a trigger. Partitioned by the
 * month of `at` (see its migration), so that a month goes at once.
 */
export const accessLog = pgTable(
  "access_log",
  (t) => ({
    /** A UUID of version 7: of reads of one instant in the order in which they were served, and without a sequence. */
    id: t.uuid("read_id").notNull().default(sql`uuid_v7()`),
    /** What servers of the release before order by; in microseconds of the epoch. Not read here. */
    formerId: t
      .bigint("id", { mode: "bigint" })
      .notNull()
      .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
    consentId: t.uuid("consent_id").$type<ConsentId>().notNull(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    what: t.text("what").$type<ReadKind>().notNull(),
    accountId: t.text("account_id").$type<AccountId>(),
    at: instant("at").notNull(),
    /** Caused by the PSU. */
    attended: t.boolean("attended").notNull(),
    /** The X-Request-ID. Null where a server of an earlier release has served it. */
    requestId: t.uuid("request_id").$type<RequestId>(),
  }),
  (row) => [
    index("access_log_of_consent").on(row.consentId, row.at, row.id),
    index("access_log_age").on(row.at),
    /** By the day first: an id is random, so that without it each read would change a page anywhere in its month. */
    index("access_log_request")
      .on(sql`((${row.at} at time zone 'UTC')::date)`, row.requestId)
      .where(sql`${row.requestId} is not null`),
    check("access_log_what", oneOf(row.what, readKinds)),
  ],
);
