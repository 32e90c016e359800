import { and, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import {
  accessLog,
  accountConsent,
  authorisation,
  fundsConsent,
  payment,
  paymentState,
  tpp,
} from "@/drizzle/schema/drawbridge";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type {
  LoggedRead,
  PermissionKind,
  PermissionRecord,
  PermissionRecords,
  ReadPosition,
  Span,
  WhosePermissions,
} from "@/lib/domain/permissions";
import { type AuthorisationId, type ConsentId, isUuid } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { selectConsents } from "./consents";
import { selectFundsConsents } from "./funds";
import { selectPayments } from "./payments";

const resources: Readonly<Record<PermissionKind, ResourceKind>> = {
  accounts: "AIS",
  funds: "PIIS",
  payments: "PIS",
};

/** Found through the authorisation, which knows its PSU also when nothing came of it. */
export function permissionRecords(db: Database): PermissionRecords {
  return {
    of: async (psuId, span) => load(db, await select(db, eq(authorisation.psuId, psuId), span)),
    find: async (psuId, kind, id) => {
      if (!isUuid(id)) return undefined;
      const own = and(
        eq(authorisation.psuId, psuId),
        eq(authorisation.kind, resources[kind]),
        eq(authorisation.resourceId, id),
      );
      const [record] = await load(db, await select(db, own, { offset: 0, limit: 1 }));
      return record;
    },
    revocable: (whose, limit) => selectRevocable(db, whose, limit),
    readsOf: async (id, { after, limit }) => {
      const older = after === undefined ? undefined : lt(accessLog.id, positionOf(after));
      const rows = await db
        .select()
        .from(accessLog)
        .where(and(eq(accessLog.consentId, id), older))
        .orderBy(desc(accessLog.id))
        .limit(limit);
      return rows.map(toRead);
    },
  };
}

/** In force, by the status of whichever of the three it is. */
const inForce = sql<boolean>`coalesce(${accountConsent.status} = 'valid',
  ${fundsConsent.status} = 'valid', ${paymentState.status} in ('ACTC', 'ACCP', 'PDNG', 'ACSP'), false)`;
const newestOfTpp = sql`max(${authorisation.createdAt}) over (partition by ${inForce}, ${tpp.id})`;
const lastRead = sql<string | null>`(select ${accessLog.at} from ${accessLog}
  where ${accessLog.consentId} = ${authorisation.resourceId} order by ${accessLog.id} desc limit 1)`;
const ended = sql<string | null>`coalesce(${accountConsent.endedAt}, ${fundsConsent.endedAt},
  case when ${paymentState.status} in ('ACSC', 'ACCC', 'RJCT') then ${paymentState.statusAt} end)`;

function select(db: Database, own: SQL | undefined, { offset, limit }: Span) {
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
    .where(own)
    .orderBy(
      desc(inForce),
      desc(newestOfTpp),
      tpp.id,
      desc(authorisation.createdAt),
      authorisation.id,
    )
    .offset(offset)
    .limit(limit);
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

async function load(db: Database, rows: readonly Row[]): Promise<readonly PermissionRecord[]> {
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
  return rows.flatMap((row): readonly PermissionRecord[] => {
    const common = commonOf(row);
    const consent = consents.get(row.id);
    if (consent !== undefined) return [{ ...common, kind: "accounts", consent }];
    const funds = fundsConsents.get(row.id);
    if (funds !== undefined) return [{ ...common, kind: "funds", consent: funds }];
    const paid = payments.get(row.id);
    return paid === undefined ? [] : [{ ...common, kind: "payments", payment: paid }];
  });
}

function commonOf({ tpp: row, requestedAt, endedAt, lastReadAt }: Row) {
  const { changedAt: _, ...tpp } = row;
  return { tpp, requestedAt, ...withoutNulls({ endedAt, lastReadAt }) };
}

function toRead({ id, ...read }: typeof accessLog.$inferSelect): LoggedRead {
  return { ...withoutNulls(read), position: id.toString() as ReadPosition };
}

/** What cannot be a position comes before all: nothing follows it. */
function positionOf(after: ReadPosition): bigint {
  return /^\d{1,18}$/.test(after) ? BigInt(after) : 0n;
}
