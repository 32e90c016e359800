import { type SQL, sql } from "drizzle-orm";
import { accessLog } from "@/drizzle/schema";
import type { ServedRead } from "@/lib/domain/access-log/access-log";
import type { Database } from "./client";

/** The insert of one line; `where` says of which statement's rows it depends. */
export function logRead(read: ServedRead, where: SQL = sql``): SQL {
  const { consentId, tppId, what, accountId, at, attended } = read;
  return sql`insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
    select ${consentId}::uuid, ${tppId}, ${what}, ${accountId ?? null},
      ${at.toISOString()}::timestamptz, ${attended}::boolean ${where}`;
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
