import type postgres from "postgres";
import type { Named, RequestContext, RequestContexts } from "@/lib/domain/request-context";
import { type BlockOrder, isBlockInForce, type Tpp } from "@/lib/domain/tpp";
import { addTime, type Clock } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { type ConsentColumns, consentColumns, readConsent } from "./consents";
import {
  type FundsConsentColumns,
  fundsConsentColumns,
  fundsConsentJoin,
  readFundsConsent,
} from "./funds";
import { movedTime, ownAheadSeconds } from "./sandbox";

/**
 * One statement for each request, which has to name its TPP to be looked for. Without a clock the time is the
 * sandbox's, which is read with the rest; with one, a stranger costs no statement.
 */
export function requestContexts({ $client }: Database, clock: Clock | undefined): RequestContexts {
  const run = async <Columns = object>(named: Named, joined?: Joined) => {
    const isSandbox = clock === undefined;
    const [row] = await $client.run((sql) => known<Columns>(sql, named, { isSandbox, joined }));
    if (row === undefined) throw new Error("a row without a condition is missing");
    const now = row.now === null ? await clock?.now() : new Date(row.now);
    if (now === undefined) throw new Error("the database did not say what time it is");
    return { row, found: toContext(row, named.tppId, now) };
  };
  return {
    load: async (named) => {
      const { tppId, consentId, fundsConsentId } = named;
      if (tppId === undefined) {
        if (clock !== undefined) {
          const now = await clock.now();
          return { now, bankNow: now, tppId };
        }
      } else if (consentId !== undefined) {
        const { row, found } = await run<ConsentColumns>(named, ofConsent(consentId));
        const consent = readConsent(row);
        return { ...found, named: consent && { consent } };
      } else if (fundsConsentId !== undefined) {
        const { row, found } = await run<FundsConsentColumns>(
          named,
          ofFundsConsent(fundsConsentId),
        );
        return { ...found, fundsConsent: readFundsConsent(row) };
      }
      return (await run(named)).found;
    },
  };
}

/** What is read with the TPP, which is `named.tpp_id`: columns, and the join that has them. */
type Joined = (sql: postgres.Sql) => readonly [columns: postgres.Fragment, join: postgres.Fragment];

const ofConsent =
  (id: string): Joined =>
  (sql) => [
    sql`, ${consentColumns(sql)}`,
    sql`left join account_consent consent on consent.id = ${id} and consent.tpp_id = named.tpp_id`,
  ];

const ofFundsConsent =
  (id: string): Joined =>
  (sql) => [sql`, ${fundsConsentColumns(sql)}`, fundsConsentJoin(sql, id)];

type Row = {
  /** Milliseconds of the epoch. */
  readonly now: number | null;
  /** Null for a TPP without a clock of its own. */
  readonly aheadSeconds: number | null;
  readonly tokenActive: boolean;
  readonly tppName: string | null;
  readonly authorityName: string;
  readonly authorityId: string;
  readonly roles: Tpp["roles"];
  readonly blockReason: string | null;
  readonly blockedAt: string | null;
  readonly blockedUntil: string | null;
};

/**
 * The token lives when its grant is there and it was not revoked by itself: one that is not named does not. The
 * grant's own end is not asked for: no token outlives that, and a token says itself when it ends. At most one order of
 * a TPP is not lifted, and one that is over is read as well.
 */
function known<Columns>(
  sql: postgres.Sql,
  { tppId, token }: Named,
  { isSandbox, joined }: { readonly isSandbox: boolean; readonly joined: Joined | undefined },
) {
  const [columns, join] = joined?.(sql) ?? [sql``, sql``];
  return sql<(Row & Columns)[]>`
    select ${isSandbox ? movedTime(sql) : sql`null::float8`} as now,
      ${isSandbox ? ownAheadSeconds(sql) : sql`null::int`} as "aheadSeconds",
      exists (select from oidc_payload where model = 'Grant' and id_hash = ${token?.grantHash ?? null})
        and not exists (select from oidc_payload
          where model = 'RevokedAccessToken' and id_hash = ${token?.hash ?? null}) as "tokenActive",
      tpp.name as "tppName", tpp.authority_name as "authorityName", tpp.authority_id as "authorityId",
      to_json(tpp.roles) as roles, block.reason as "blockReason", block.blocked_at as "blockedAt",
      block.until as "blockedUntil" ${columns}
    from (values (${tppId ?? null}::text)) as named (tpp_id)
    left join tpp on tpp.id = named.tpp_id
    left join tpp_block block on block.tpp_id = named.tpp_id and block.lifted_at is null
    ${join}`;
}

function toContext(row: Row, tppId: RequestContext["tppId"], bankNow: Date): RequestContext {
  const { tokenActive, aheadSeconds } = row;
  const now = aheadSeconds === null ? bankNow : addTime(bankNow, aheadSeconds, "second");
  if (tppId === undefined) return { now, bankNow, tppId, tokenActive };
  const order = toOrder(row, tppId);
  return {
    now,
    bankNow,
    tppId,
    tokenActive,
    tpp: toTpp(row, tppId),
    order: order !== undefined && isBlockInForce(order, bankNow) ? order : undefined,
  };
}

function toTpp(row: Row, id: Tpp["id"]): Tpp | undefined {
  const { tppName: name, roles, authorityName, authorityId } = row;
  return name === null ? undefined : { id, name, roles, authorityName, authorityId };
}

function toOrder(row: Row, tppId: Tpp["id"]): BlockOrder | undefined {
  const { blockReason: reason, blockedAt, blockedUntil } = row;
  if (blockedAt === null) return undefined;
  const until = blockedUntil === null ? null : new Date(blockedUntil);
  return { tppId, blockedAt: new Date(blockedAt), ...withoutNulls({ reason, until }) };
}
