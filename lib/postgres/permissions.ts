import { and, desc, eq, ilike, inArray, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import {
  accessLog,
  accountConsent,
  accountGrant,
  authorisation,
  fundsConsent,
  payment,
  paymentState,
  tpp,
} from "@/drizzle/schema/drawbridge";
import type { ResourceKind } from "@/lib/domain/authorisation";
import { resourceOf } from "@/lib/domain/opt-outs";
import type {
  ListedRecord,
  LoggedRead,
  PermissionFilter,
  PermissionPosition,
  PermissionRecord,
  PermissionRecords,
  ReadPosition,
  RecordsOfTpp,
  TppPosition,
  WhosePermissions,
} from "@/lib/domain/permissions";
import {
  type AuthorisationId,
  type ConsentId,
  isUuid,
  type PsuId,
  type TppId,
} from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { selectConsents } from "./consents";
import { selectFundsConsents } from "./funds";
import { selectPayments } from "./payments";
import { toTpp } from "./tpps";

/** Found through the authorisation, which knows its PSU also when nothing came of it. */
export function permissionRecords(db: Database): PermissionRecords {
  return {
    list: (psuId, filter, page) => list(db, psuId, filter, page),
    byTpp: (psuId, filter, page) => byTpp(db, psuId, filter, page),
    find: async (psuId, kind, id) => {
      if (!isUuid(id)) return undefined;
      const own = and(
        eq(authorisation.psuId, psuId),
        eq(authorisation.kind, resourceOf[kind]),
        eq(authorisation.resourceId, id),
      );
      const [found] = await load(db, await select(db, own).limit(1));
      return found?.record;
    },
    revocable: (whose, limit) => selectRevocable(db, whose, limit),
    readsOf: async (id, { after, limit }) => {
      const older = after && followed(after, accessLog.at, accessLog.id, UUID);
      const rows = await db
        .select()
        .from(accessLog)
        .where(and(eq(accessLog.consentId, id), older))
        .orderBy(desc(accessLog.at), desc(accessLog.id))
        .limit(limit);
      return rows.map(toRead);
    },
  };
}

async function list(
  db: Database,
  psuId: PsuId,
  filter: PermissionFilter,
  { after, limit }: Parameters<PermissionRecords["list"]>[2],
): Promise<readonly ListedRecord[]> {
  const older = after && followed(after, authorisation.createdAt, authorisation.id, UUID);
  const rows = await select(db, and(matching(psuId, filter), older))
    .orderBy(desc(authorisation.createdAt), desc(authorisation.id))
    .limit(limit);
  return (await load(db, rows)).map(({ row, record }) => ({
    ...record,
    position: `${row.requestedAt.getTime()}_${row.id}` as PermissionPosition,
  }));
}

async function byTpp(
  db: Database,
  psuId: PsuId,
  filter: PermissionFilter,
  { after, limit, newestMax }: Parameters<PermissionRecords["byTpp"]>[2],
): Promise<readonly RecordsOfTpp[]> {
  const ranked = sql`
    select ${authorisation.id}, ${authorisation.tppId},
      row_number() over (of_tpp order by ${authorisation.createdAt} desc, ${authorisation.id} desc) as nth,
      (count(*) over of_tpp)::int as count, max(${authorisation.createdAt}) over of_tpp as newest
    from ${authorisation}
    join ${tpp} on ${tpp.id} = ${authorisation.tppId}
    ${joinedOneByOne(accountConsent, eq(accountConsent.authorisationId, authorisation.id))}
    ${joinedOneByOne(fundsConsent, eq(fundsConsent.authorisationId, authorisation.id))}
    ${joinedOneByOne(payment, eq(payment.authorisationId, authorisation.id))}
    ${joinedOneByOne(paymentState, eq(paymentState.paymentId, payment.id))}
    where ${matching(psuId, filter)} window of_tpp as (partition by ${authorisation.tppId})`;
  const older = after === undefined ? sql`true` : followed(after, sql`newest`, sql`tpp_id`, TPP);
  const found = await db.execute<Ranked>(sql`
    select id, tpp_id, count, extract(epoch from newest)::float8 * 1000 as newest from (${ranked}) ranked
    where nth <= ${newestMax} and ${older} order by ranked.newest desc, tpp_id desc, nth
    limit ${limit * newestMax}`);
  const ids = found.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await select(db, inArray(authorisation.id, ids));
  const loaded = new Map((await load(db, rows)).map(({ row, record }) => [row.id, record]));
  const tppIds = [...new Set(found.map(({ tpp_id }) => tpp_id))].slice(0, limit);
  return tppIds.flatMap((tppId) => {
    const group = found.filter(({ tpp_id }) => tpp_id === tppId);
    const newest = group.flatMap(({ id }) => loaded.get(id) ?? []);
    const [[first], [record]] = [group, newest];
    if (first === undefined || record === undefined) return [];
    const position = `${Math.round(first.newest)}_${tppId}` as TppPosition;
    return [{ tpp: record.tpp, count: first.count, newest, position }];
  });
}

/** By its index, row by row: the rows of a customer with hundreds would else be found by reading the table as a whole. */
function joinedOneByOne(table: PgTable, on: SQL): SQL {
  return sql`left join lateral (select * from ${table} where ${on} offset 0) ${table} on true`;
}

type Ranked = {
  readonly id: AuthorisationId;
  readonly tpp_id: TppId;
  readonly count: number;
  /** Milliseconds of the epoch. */
  readonly newest: number;
};

const UUID = /^(\d{1,15})_([0-9a-f-]{36})$/;
const TPP = /^(\d{1,15})_([\x21-\x7e]{1,128})$/;

/** What comes after a position, both descending. What cannot be a position comes after all: nothing follows it. */
function followed(after: string, instant: SQLWrapper, id: SQLWrapper, form: RegExp): SQL {
  const [, milliseconds, last] = form.exec(after) ?? [];
  if (milliseconds === undefined || last === undefined) return sql`false`;
  return sql`(${instant}, ${id}) < (to_timestamp(${milliseconds}::float8 / 1000), ${last})`;
}

/** In force, by the status of whichever of the three it is. */
const isInForce = sql<boolean>`coalesce(${accountConsent.status} = 'valid',
  ${fundsConsent.status} = 'valid', ${paymentState.status} in ('ACTC', 'ACCP', 'PDNG', 'ACSP'), false)`;
const lastRead = sql<string | null>`(select ${accessLog.at} from ${accessLog}
  where ${accessLog.consentId} = ${authorisation.resourceId} order by ${accessLog.at} desc limit 1)`;
const ended = sql<string | null>`coalesce(${accountConsent.endedAt}, ${fundsConsent.endedAt},
  case when ${paymentState.status} in ('ACSC', 'ACCC', 'RJCT') then ${paymentState.statusAt} end)`;

function matching(
  psuId: PsuId,
  { tppId, kind, inForce, since, text }: PermissionFilter,
): SQL | undefined {
  return and(
    eq(authorisation.psuId, psuId),
    tppId === undefined ? undefined : eq(authorisation.tppId, tppId),
    kind && eq(authorisation.kind, resourceOf[kind]),
    inForce === undefined ? undefined : sql`${isInForce} = ${inForce}`,
    since && sql`coalesce(${ended} >= ${since.toISOString()}::timestamptz, true)`,
    text === undefined ? undefined : contains(text),
  );
}

/** Letters in either case; an IBAN with or without its spaces. */
function contains(text: string): SQL | undefined {
  const pattern = (of: string) => `%${of.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const words = pattern(text.trim());
  const iban = pattern(text.replaceAll(/\s/g, ""));
  // Of one consent at a time: for `exists` PostgreSQL would read the accounts of all consents first.
  const granted = sql`(select bool_or(${ilike(accountGrant.iban, iban)}) from ${accountGrant}
    where ${accountGrant.consentId} = ${accountConsent.id})`;
  return or(
    ilike(tpp.name, words),
    ilike(tpp.id, words),
    granted,
    ilike(fundsConsent.iban, iban),
    ilike(payment.debtorIban, iban),
    ilike(payment.creditorIban, iban),
    ilike(payment.creditorName, words),
  );
}

function select(db: Database, where: SQL | undefined) {
  return db
    .select({
      id: authorisation.id,
      kind: authorisation.kind,
      requestedAt: authorisation.createdAt,
      endedAt: ended.mapWith(accountConsent.endedAt).as("ended_at"),
      lastReadAt: lastRead.mapWith(accessLog.at).as("last_read_at"),
      tpp,
    })
    .from(authorisation)
    .innerJoin(tpp, eq(tpp.id, authorisation.tppId))
    .leftJoin(accountConsent, eq(accountConsent.authorisationId, authorisation.id))
    .leftJoin(fundsConsent, eq(fundsConsent.authorisationId, authorisation.id))
    .leftJoin(payment, eq(payment.authorisationId, authorisation.id))
    .leftJoin(paymentState, eq(paymentState.paymentId, payment.id))
    .where(where);
}

function selectRevocable(db: Database, { psuId, tppId }: WhosePermissions, limit: number) {
  const valid = or(eq(accountConsent.status, "valid"), eq(fundsConsent.status, "valid"));
  return db
    .select({
      kind: sql<
        "accounts" | "funds"
      >`case ${authorisation.kind} when 'AIS' then 'accounts' else 'funds' end`,
      id: sql<ConsentId>`${authorisation.resourceId}`,
    })
    .from(authorisation)
    .leftJoin(accountConsent, eq(accountConsent.authorisationId, authorisation.id))
    .leftJoin(fundsConsent, eq(fundsConsent.authorisationId, authorisation.id))
    .where(
      and(
        eq(authorisation.psuId, psuId),
        tppId === undefined ? undefined : eq(authorisation.tppId, tppId),
        valid,
      ),
    )
    .limit(limit);
}

type Row = Awaited<ReturnType<typeof select>>[number];

type Loaded = { readonly row: Row; readonly record: PermissionRecord };

async function load(db: Database, rows: readonly Row[]): Promise<readonly Loaded[]> {
  type Ids = readonly AuthorisationId[];
  const of = async <T extends { readonly authorisationId: AuthorisationId }>(
    kind: ResourceKind,
    selected: (ids: Ids) => Promise<readonly T[]>,
  ) => {
    const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id);
    const found = ids.length === 0 ? [] : await selected(ids);
    return new Map(found.map((one) => [one.authorisationId, one]));
  };
  const [consents, fundsConsents, payments] = await Promise.all([
    of("AIS", (ids) => {
      return selectConsents(db, inArray(accountConsent.authorisationId, ids), ids.length);
    }),
    of("PIIS", (ids) => {
      return selectFundsConsents(db, inArray(fundsConsent.authorisationId, ids), ids.length);
    }),
    of("PIS", (ids) => selectPayments(db, inArray(payment.authorisationId, ids))),
  ]);
  const recordOf = (row: Row): PermissionRecord | undefined => {
    const common = commonOf(row);
    const consent = consents.get(row.id);
    if (consent !== undefined) return { ...common, kind: "accounts", consent };
    const funds = fundsConsents.get(row.id);
    if (funds !== undefined) return { ...common, kind: "funds", consent: funds };
    const paid = payments.get(row.id);
    return paid && { ...common, kind: "payments", payment: paid };
  };
  return rows.flatMap((row) => {
    const record = recordOf(row);
    return record === undefined ? [] : [{ row, record }];
  });
}

function commonOf({ tpp, requestedAt, endedAt, lastReadAt }: Row) {
  return { tpp: toTpp(tpp), requestedAt, ...withoutNulls({ endedAt, lastReadAt }) };
}

function toRead({ id, formerId: _, ...read }: typeof accessLog.$inferSelect): LoggedRead {
  return { ...withoutNulls(read), position: `${read.at.getTime()}_${id}` as ReadPosition };
}
