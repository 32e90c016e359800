import { type SQL, sql } from "drizzle-orm";
import { accessLog } from "@/drizzle/schema";
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

/** Lines of reads before the instant, `limit` at most; yields how many went. */
export async function destroyReadsBefore(
  db: Database,
  instant: Date,
  limit: number,
): Promise<number> {
  const gone = await db.execute(sql`
    delete from ${accessLog} where id in (
      select id from ${accessLog} where at < ${instant.toISOString()}::timestamptz
      order by at limit ${limit} for update skip locked)
    returning id`);
  return gone.length;
}
