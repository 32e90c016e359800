import { createHash } from "node:crypto";
import type postgres from "postgres";
import type { EventFilter } from "@/lib/domain/events";
import type { PermissionFilter } from "@/lib/domain/permissions";
import type { ConsentId, IsoDate, PsuId, RequestId, TppId } from "@/lib/domain/values";
import { caseRecords } from "./case-records";
import type { Database } from "./client";
import { listEvents } from "./events";
import { optOutStore } from "./opt-outs";
import { permissionRecords } from "./permissions";
import { statistics } from "./statistics";
import type { Asked } from "./testing-database";
import { tppBlocks } from "./tpp-blocks";

/** Months of the past over which they are spread, as evenly as a day is long. */
const MONTHS = 18;

/** Of two hundred permissions one is this customer's, and a fifth this TPP's. */
const busiest = { psuId: "psu-1" as PsuId, tppId: "PSDRO-NBR-1" as TppId };

export type Scale = { readonly permissions: number; readonly events: number };

/** A bank after years: what no test would create by its stores. Neither triggers nor foreign keys have a say. */
export async function grown(sql: postgres.Sql, { permissions, events }: Scale): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role to replica`;
    for (const text of rowsOf(permissions)) await tx.unsafe(text);
  });
  await sql.unsafe(pastMonths);
  for (let month = 0; month < MONTHS; month += 1) {
    const [first, last] = [month, month + 1].map((n) => Math.floor((events / MONTHS) * n));
    await sql.unsafe(eventsOf({ permissions, events }, `${Number(first) + 1}, ${last}`));
  }
  await sql`analyze`;
}

const idOf = (of: string, n = "n") => `md5('${of} ' || ${n})::uuid`;
const psuOf = (n = "n") =>
  `case when ${n} % 200 = 0 then '${busiest.psuId}' else 'psu-' || 2 + abs(hashint8(${n})) % greatest(20000, 1) end`;
const tppOf = (n = "n") =>
  `case when ${n} % 5 = 0 then '${busiest.tppId}' else 'PSDRO-NBR-' || 2 + ${n} % 199 end`;
const ibanOf = (n = "n") =>
  `'RO' || lpad((abs(hashtext(${psuOf(n)})) % 97)::text, 2, '0') || 'DRWB' || upper(left(md5(${psuOf(n)}), 16))`;

/** In twenty: fourteen consents to account information, one to funds confirmations, five payments. */
const kindOf = "case when n % 20 < 14 then 'AIS' when n % 20 = 14 then 'PIIS' else 'PIS' end";
const IS_VALID = "n % 3 = 0";

function rowsOf(permissions: number): readonly string[] {
  const at = `(now() - interval '${MONTHS} months' + ${permissions === 0 ? "1" : `n::float8 / ${permissions}`} * interval '${MONTHS} months')`;
  const each = (columns: string, where = "true") =>
    `select ${columns} from generate_series(1, ${permissions}) n where ${where}`;
  const ofKind = (kind: string) => `${kindOf} = '${kind}'`;
  const status = `case when ${IS_VALID} then 'valid' when n % 3 = 1 then 'expired' else 'revokedByPsu' end`;
  const ended = `case when not ${IS_VALID} then ${at} + interval '20 days' end`;
  return [
    `insert into tpp select 'PSDRO-NBR-' || n, 'TPP number ' || n, 'NBR', 'RO-NBR', '{PSP_AI,PSP_PI,PSP_IC}', now()
      from generate_series(1, 200) n`,
    `insert into authorisation (id, kind, resource_id, tpp_id, sca_status, redirect_uri, psu_id, failed_attempts, selection,
        codes_sent, created_at, expires_at, decided_at, request_id)
      ${each(`${idOf("authorisation")}, ${kindOf}, ${idOf("resource")}, ${tppOf()}, 'finalised', 'https://tpp.example/cb',
        ${psuOf()}, 0, '{}', 1, ${at}, ${at} + interval '15 minutes', ${at}, ${idOf("request")}`)}`,
    `insert into account_consent (id, tpp_id, authorisation_id, status, requested_access, access, recurring_indicator, valid_until,
        frequency_per_day, created_at, last_action_date, psu_id, authorised_at, ended_at)
      ${each(
        `${idOf("resource")}, ${tppOf()}, ${idOf("authorisation")}, ${status}, '{"allPsd2":"allAccounts"}', '{}',
        row_number() over (partition by ${psuOf()}, ${tppOf()}, ${IS_VALID} order by n desc) = 1 and ${IS_VALID},
        (${at} + interval '180 days')::date, 4, ${at}, ${at}::date, ${psuOf()}, ${at}, ${ended}`,
        ofKind("AIS"),
      )}`,
    `insert into account_grant select gen_random_uuid(), ${idOf("resource")}, 'account ' || n % 40000 || ' ' || place, place,
        ${ibanOf()}, 'RON', true, true, true
      from generate_series(1, ${permissions}) n, generate_series(1, 2) place where ${ofKind("AIS")}`,
    `insert into funds_consent (id, tpp_id, authorisation_id, status, iban, created_at, psu_id, account_id, authorised_at, ended_at)
      ${each(`${idOf("resource")}, ${tppOf()}, ${idOf("authorisation")}, ${status}, ${ibanOf()}, ${at}, ${psuOf()}, 'account ' || n, ${at}, ${ended}`, ofKind("PIIS"))}`,
    `insert into payment (id, tpp_id, authorisation_id, product, amount_minor, currency, debtor_iban, creditor_name, creditor_iban,
        end_to_end_id, charge_bearer, reject_without_funds, instruction, created_at)
      ${each(
        `${idOf("resource")}, ${tppOf()}, ${idOf("authorisation")}, 'sepa-credit-transfers', 1 + n, 'EUR', ${ibanOf()}, 'Shop',
        ${ibanOf("n + 1")}, 'E2E-' || n, 'SLEV', false, '{}', ${at}`,
        ofKind("PIS"),
      )}`,
    `insert into payment_state (payment_id, status, status_at, psu_id, authorised_at, debit_account_id, debit_minor, fee_minor, debit_currency)
      ${each(`${idOf("resource")}, 'ACSC', ${at}, ${psuOf()}, ${at}, 'account ' || n, 1 + n, 0, 'EUR'`, ofKind("PIS"))}`,
    `insert into payment_status_change (payment_id, status, at)
      select ${idOf("resource")}, status, ${at} from generate_series(1, ${permissions}) n, unnest(array['RCVD', 'ACTC', 'ACSC']) status
      where ${ofKind("PIS")}`,
    `insert into access_log (consent_id, tpp_id, what, account_id, at, attended, request_id)
      select ${idOf("resource")}, ${tppOf()}, 'balances', 'account ' || n, least(${at} + read * interval '6 hours', now()), false,
        ${idOf("read")}
      from generate_series(1, ${permissions}) n, generate_series(1, 10) read where ${ofKind("AIS")}`,
  ];
}

/** As servers would have made them then. */
const pastMonths = `do $$
declare
  month date;
  kind text;
begin
  for ago in 1..${MONTHS} loop
    month := date_trunc('month', now() at time zone 'UTC') - make_interval(months => ago);
    insert into event_key values (month, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    foreach kind in array array['security', 'permission', 'administration'] loop
      execute format('create table event_%1$s_%2$s partition of event_%1$s for values from (%3$L) to (%4$L)', kind,
        to_char(month, 'YYYY_MM'), month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
    end loop;
  end loop;
end $$`;

/** In their order of time; of twenty, half are tokens that are refreshed. */
function eventsOf({ permissions, events }: Scale, span: string): string {
  const kind = `case when i % 2000 = 19 then 'customer-viewed' when i % 2000 = 39 then 'tpp-blocked'
    when i % 20 < 10 then 'tokens-issued' when i % 20 < 12 then 'sca-attempt' when i % 20 = 12 then 'request-refused'
    when i % 20 = 13 then 'session-opened' when i % 20 = 14 then 'consent-requested' when i % 20 < 17 then 'sca-status' when i % 20 = 17 then 'sca-proved'
    else 'consent-status' end`;
  const retention = `case when i % 2000 = 39 then 'administration'
    when i % 20 < 14 or i % 2000 = 19 then 'security' else 'permission' end`;
  return `insert into event (retention, recorded_at, at, kind, tpp_id, request_id, resource_kind, resource_id, subject, actor, detail)
    select ${retention}, recorded, recorded, ${kind}, case when i % 20 <> 13 then ${tppOf()} end,
      case when i % 20 in (12, 18) then ${idOf("asked", "i")} end,
      case when i % 20 not in (12, 13) then 'AIS' end, case when i % 20 not in (12, 13) then ${idOf("resource")} end,
      case when i % 20 <> 12 then encode(substr(sha256(secret || convert_to(${psuOf()}, 'UTF8')), 1, 16), 'hex')::uuid end,
      case when i % 2000 = 19 then 'operator-' || i % 7 end,
      case when i % 20 = 12 then '{"code":"TOKEN_INVALID"}' else '{"from":"received","to":"valid"}' end::jsonb
    from (select i, 1 + (i::bigint * 7919) % ${permissions} as n,
        now() - interval '${MONTHS} months' + i::float8 / ${events} * interval '${MONTHS} months' as recorded
      from generate_series(${span}) i) one
    join event_key on month = date_trunc('month', recorded at time zone 'UTC')::date`;
}

/** Every list and page that the bank's people, its systems and its customers have, of those who have most. */
export function pagesOf(db: Database): readonly (readonly [string, () => Promise<unknown>])[] {
  const { psuId, tppId } = busiest;
  const [permissions, blocks, counts] = [permissionRecords(db), tppBlocks(db), statistics(db)];
  const since = new Date(Date.now() - 700 * 86_400_000);
  const day = (ago: number) =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10) as IsoDate;
  const page = { limit: 50 };
  const resourceId = uuidOf("resource 200");
  const consentId = resourceId as ConsentId;
  const readBy = uuidOf("read 200") as RequestId;
  const all = async (filter: PermissionFilter) => {
    const [first, second] = await permissions.list(psuId, filter, page);
    await permissions.list(psuId, filter, { ...page, after: (second ?? first)?.position });
  };
  const events = async (filter: EventFilter) => {
    const first = await listEvents(db, filter, page);
    await listEvents(db, filter, { ...page, after: first.at(-1) });
  };
  const month = { from: `${day(60).slice(0, 7)}-01`, to: `${day(30).slice(0, 7)}-01` };
  return [
    ["events of a consent", () => events({ resourceId })],
    ["events of a request", () => events({ requestId: uuidOf("asked 18") as RequestId })],
    ["events of a TPP", () => events({ tppId })],
    ["events of a customer", () => events({ psuId })],
    ["events of a customer in a month", () => events({ psuId, ...month })],
    ["events of a kind", () => events({ kind: "tpp-blocked" })],
    ["events of a frequent kind", () => events({ kind: "consent-requested" })],
    ["events of another kind and a TPP", () => events({ kind: "customer-viewed", tppId })],
    ["export of a month", () => events(month)],
    ["a customer's permissions", () => all({})],
    ["in force, of two years", () => all({ inForce: true, since })],
    ["of one TPP", () => all({ tppId })],
    ["searched for", () => all({ text: "number 17" })],
    ["grouped by TPP", () => permissions.byTpp(psuId, { since }, { limit: 20, newestMax: 3 })],
    ["one permission", () => permissions.find(psuId, "accounts", resourceId)],
    ["what may be revoked", () => permissions.revocable({ psuId }, 50)],
    ["reads of a consent", () => permissions.readsOf(consentId, page)],
    ["reads of a request", () => caseRecords(db).find({ readBy }, 50)],
    ["opt-outs", () => optOutStore(db).list(psuId, page)],
    ["whom a block affects", () => blocks.affectedBy(tppId)],
    ["notices of blocks", () => blocks.noticesFor(psuId, new Date())],
    ["statistics of a TPP", () => counts.days({ from: day(90), to: day(0), tppId })],
    ["statistics of all", () => counts.days({ from: day(90), to: day(0) })],
    ["consents by state", () => counts.consents()],
  ];
}

/** As the rows have it that `idOf` makes. */
function uuidOf(text: string): string {
  const hex = createHash("md5").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What a statement has done: rows that it has looked at, and tables that it has read from end to end. */
export type Work = {
  readonly rows: number;
  readonly milliseconds: number;
  readonly whole: readonly string[];
};

/** A table with no more is read as fast without an index, as that of the TPPs of a country. */
const FEW_ROWS = 2_000;

export async function workOf(sql: postgres.Sql, { text, params }: Asked): Promise<Work> {
  const [row] = await sql.unsafe<{ "QUERY PLAN": [Explained] }[]>(
    `explain (analyze, format json) ${text}`,
    params as string[],
  );
  if (row === undefined) throw new Error("a statement without a plan");
  const [{ Plan: plan, ...times }] = row["QUERY PLAN"];
  const nodes = below(plan);
  return {
    rows: nodes.reduce((sum, node) => sum + visited(node), 0),
    milliseconds: times["Planning Time"] + times["Execution Time"],
    whole: nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" && visited(node) > FEW_ROWS
        ? (node["Relation Name"] ?? [])
        : [],
    ),
  };
}

type Explained = {
  readonly Plan: Node;
  readonly "Planning Time": number;
  readonly "Execution Time": number;
};

type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
};

function below(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(below)];
}

/** Of a scan; what other nodes do, they do with rows of scans. */
function visited(node: Node): number {
  if (node["Relation Name"] === undefined) return 0;
  return (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}
