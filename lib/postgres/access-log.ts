import { type SQL, sql } from "drizzle-orm";
import { accessLog } from "@/drizzle/schema/drawbridge";
import type { ServedRead } from "@/lib/domain/access-log/access-log";
import type { Database } from "./client";

const asked = (name: keyof ServedRead) => sql.placeholder(name);

/** The insert of one line, of the read that is given when it is executed; `from` says for which rows. */
export function logRead(from: SQL): SQL {
  return sql`insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
    select ${asked("consentId")}::uuid, ${asked("tppId")}, ${asked("what")}, ${asked("accountId")},
      ${asked("at")}::timestamptz, ${asked("attended")}::boolean ${from}`;
}

/** A read as the statement is given it. */
export function readValues({ consentId, tppId, what, accountId, at, attended }: ServedRead) {
  return { consentId, tppId, what, accountId: accountId ?? null, at: at.toISOString(), attended };
}

/**
 * Lines of reads before the instant, `limit` at most; yields how many went. By a function of the migrations, since the
 * role of the server may not delete from the log: of what is younger than `accessLogKeptDays`, by the database's own
 * clock, it deletes nothing.
 */
export async function destroyReadsBefore(
  db: Database,
  instant: Date,
  limit: number,
): Promise<number> {
  const [row] = await db.execute<{ gone: number }>(sql`
    select access_log_destroy(${instant.toISOString()}::timestamptz, ${limit}::integer) as gone`);
  return row?.gone ?? 0;
}
