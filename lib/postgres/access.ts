import { type SQL, sql } from "drizzle-orm";
import { accessLog, auditEvent, usageWindow } from "@/drizzle/schema/drawbridge";
import type {
  AccessBudget,
  Admission,
  Budget,
  ServedRead,
  UnattendedAccess,
} from "@/lib/domain/account-access";
import type { AuditEvent, AuditLog } from "@/lib/domain/audit-log";
import { addTime } from "@/lib/domain/values";
import type { Database, Transaction } from "./client";

/** Each method is one statement, prepared once for each connection. */
export function accessBudget(db: Database): AccessBudget {
  const admission = admissionStatement(db);
  const continuation = continuationStatement(db);
  const line = lineStatement(db);
  return {
    admitUnattended: async (access) => {
      const [counted] = await admission.execute(valuesOf(access));
      if (counted === undefined) throw new Error("an access was neither admitted nor refused");
      return { admitted: counted.admitted, ...budgetOf(counted, access) } satisfies Admission;
    },
    continueUnattended: async (access) => {
      const [counted] = await continuation.execute(valuesOf(access));
      return budgetOf(counted ?? { hits: 0, oldest: null }, access);
    },
    admitAttended: async (read) => {
      const { consentId, tppId, what, accountId = null, at: instant, attended } = read;
      await line.execute({ consentId, tppId, what, accountId, at: instant, attended });
    },
  };
}

/** How many accesses are in the window, and the oldest of them in milliseconds of the epoch. */
type Hits = { readonly hits: number; readonly oldest: number | null };

const asked = (name: "consentId" | "resource" | "limit") => sql.placeholder(name);
const at = sql`${sql.placeholder("at")}::timestamptz`;
const since = sql`${sql.placeholder("since")}::timestamptz`;
const milliseconds = sql`(extract(epoch from oldest) * 1000)::float8`;
const hits = { hits: sql<number>`hits`, oldest: sql<number | null>`oldest` };
const hitsInWindow = sql`select count(*) as hits, min(hit) as oldest
  from ${usageWindow} known, unnest(known.hits) hit
  where known.consent_id = ${asked("consentId")} and known.resource = ${asked("resource")}
    and hit > ${since}`;

/**
 * The row's lock decides: the condition of `do update` sees the newest hits, however many calls wait
 * for it. `spent` turns away, without a write, whoever is over the limit already; it can be behind
 * the row by calls that run at this moment, whose hits are then as old as this one. The line of the access log
 * belongs to the same statement: there is none without an access, and no access without one.
 */
function admissionStatement(db: Database) {
  const spent = db.$with("spent", {}).as(hitsInWindow);
  const admitted = db.$with("admitted", {}).as(sql`
    insert into ${usageWindow} as known (consent_id, resource, hits)
    select ${asked("consentId")}::uuid, ${asked("resource")}, array[${at}]
    where (select hits from spent) < ${asked("limit")}
    on conflict (consent_id, resource) do update
    set hits = array(select hit from unnest(known.hits) hit where hit > ${since}) || ${at}
    where (select count(*) from unnest(known.hits) hit where hit > ${since}) < ${asked("limit")}
    returning cardinality(known.hits) as hits, (select min(hit) from unnest(known.hits) hit) as oldest`);
  const logged = db.$with("logged", {}).as(logRead(sql`from admitted`));
  return db
    .with(spent, admitted, logged)
    .select({ ...hits, admitted: sql<boolean>`admitted` })
    .from(sql`(
      select hits::int, ${milliseconds} as oldest, true as admitted from admitted
      union all
      select ${asked("limit")}::int, ${milliseconds}, false from spent
      where not exists (select from admitted)) counted`)
    .prepare("admit_access");
}

function continuationStatement(db: Database) {
  const logged = db.$with("logged", {}).as(logRead(sql``));
  return db
    .with(logged)
    .select(hits)
    .from(sql`(select hits::int, ${milliseconds} as oldest from (${hitsInWindow}) spent) counted`)
    .prepare("continue_access");
}

function lineStatement(db: Database) {
  const given = (name: string) => sql.placeholder(name);
  return db
    .insert(accessLog)
    .values({
      consentId: given("consentId"),
      tppId: given("tppId"),
      what: given("what"),
      accountId: given("accountId"),
      at: given("at"),
      attended: given("attended"),
    })
    .prepare("log_read");
}

function valuesOf({ read, resource, limit, windowHours }: UnattendedAccess) {
  const start = addTime(read.at, -windowHours, "hour");
  return { resource, limit, since: start.toISOString(), ...readValues(read) };
}

/** Where nothing was used, nothing comes back. */
function budgetOf(counted: Hits, { read, limit, windowHours }: UnattendedAccess): Budget {
  const now = read.at;
  const left = Math.max(0, limit - counted.hits);
  const oldest = new Date(counted.oldest ?? now.getTime());
  return { left, resetAt: counted.hits === 0 ? now : addTime(oldest, windowHours, "hour") };
}

const readAsked = (name: keyof ServedRead) => sql.placeholder(name);

/** The insert of one line, of the read that is given when it is executed; `from` says for which rows. */
function logRead(from: SQL): SQL {
  return sql`insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
    select ${readAsked("consentId")}::uuid, ${readAsked("tppId")}, ${readAsked("what")}, ${readAsked("accountId")},
      ${readAsked("at")}::timestamptz, ${readAsked("attended")}::boolean ${from}`;
}

/** A read as the statement is given it. */
function readValues({ consentId, tppId, what, accountId, at, attended }: ServedRead) {
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

export function auditLog(db: Database): AuditLog {
  return { record: (event) => recordEvent(db, event) };
}

/** Where an event belongs to a change, it is recorded in the change's own transaction. */
export async function recordEvent(db: Database | Transaction, event: AuditEvent): Promise<void> {
  await db.insert(auditEvent).values(event);
}
