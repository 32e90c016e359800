import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { type EventLine, keptMonths, retentions, type Seal } from "@/lib/domain/events";
import type { Database } from "./client";
import { utcText } from "./columns";
import { everyEvent } from "./events";

/** No request takes longer from the time of an event to its place in the table. */
const GRACE_SECONDS = 10;
const FIRST = "0".repeat(64);

/**
 * Seals closed hours, one a turn. Undefined when there is none to seal, or another server was first. No request waits for
 * it: an hour is sealed once every transaction has ended that had begun to write when it was over.
 */
export function eventSealer(db: Database): { readonly turn: () => Promise<Seal | undefined> } {
  let waiting: { readonly to: string; readonly xid: string } | undefined;
  return {
    turn: async () => {
      const next = await nextToSeal(db);
      if (next === undefined) return undefined;
      if (waiting?.to !== next.to) waiting = { to: next.to, xid: next.xmax };
      if (BigInt(next.xmin) < BigInt(waiting.xid)) return undefined;
      const parts = await partsOf(db, next);
      const { number, from, to } = next;
      const seal = { number, from, to, parts, digest: digestOf(next.before, { from, to, parts }) };
      const [kept] = await db.execute(sql`
        insert into event_seal (number, "from", "to", parts, digest)
        values (${number}, ${from}::timestamptz, ${to}::timestamptz, ${JSON.stringify(parts)}::jsonb, ${seal.digest})
        on conflict do nothing returning number`);
      return kept === undefined ? undefined : seal;
    },
  };
}

type ToSeal = Pick<Seal, "number" | "from" | "to"> & {
  readonly before: string;
  readonly xmin: string;
  readonly xmax: string;
};

async function nextToSeal(db: Database): Promise<ToSeal | undefined> {
  const [next] = await db.execute<ToSeal>(sql`
    with sealed as (select number, "to", digest from event_seal order by number desc limit 1),
    first as (
      select date_trunc('hour', recorded_at, 'UTC') as hour from event
      where recorded_at >= coalesce((select "to" from sealed), '-infinity') order by recorded_at limit 1
    )
    select coalesce((select number from sealed), 0) + 1 as number,
      ${utcText(sql`coalesce((select "to" from sealed), hour)`)} as "from", ${utcText(sql`(hour + interval '1 hour')`)} as "to",
      coalesce((select digest from sealed), ${FIRST}) as before,
      pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax
    from first where hour + interval '1 hour' <= clock_timestamp() - make_interval(secs => ${GRACE_SECONDS})`);
  return next;
}

async function partsOf(db: Database, { from, to }: Pick<Seal, "from" | "to">) {
  const { add, parts } = hashes();
  for await (const event of everyEvent(db, { from, to })) add(event);
  return parts();
}

/** Of the lines as `events export` prints them: `sha256sum` of that part of its output is the same. */
function hashes() {
  const each = new Map(retentions.map((name) => [name, { hash: createHash("sha256"), events: 0 }]));
  return {
    add: ({ retention, line }: EventLine) => {
      const part = each.get(retention);
      if (part === undefined) throw new Error(`no retention ${retention}`);
      part.hash.update(line).update("\n");
      part.events += 1;
    },
    parts: () =>
      Object.fromEntries(
        [...each].map(([name, { hash, events }]) => [name, { events, sha256: hash.digest("hex") }]),
      ) as Seal["parts"],
  };
}

function digestOf(before: string, { from, to, parts }: Pick<Seal, "from" | "to" | "parts">) {
  const lines = retentions.map((name) => `${name} ${parts[name].events} ${parts[name].sha256}`);
  return createHash("sha256")
    .update([before, from, to, ...lines].join("\n"))
    .digest("hex");
}

export type Verified = {
  readonly seals: number;
  readonly events: number;
  /** Parts of seals whose month has been removed by its retention. */
  readonly removed: number;
  readonly faults: readonly string[];
  /** What is younger than `to` is not sealed yet; the digest is to be compared with what was kept elsewhere. */
  readonly last: Pick<Seal, "to" | "digest"> | undefined;
};

/** As it was kept outside of the database. */
export type KeptSeal = Pick<Seal, "digest" | "from" | "to">;

const SEALS_PAGE = 500;

/** Compares every sealed hour with its seal, and each seal that was kept elsewhere with those that are there. */
export async function verifyEvents(
  db: Database,
  elsewhere: readonly KeptSeal[] = [],
): Promise<Verified> {
  const faults: string[] = [];
  const missing = new Map(elsewhere.map((kept) => [kept.digest, kept]));
  const gone = await removedMonths(db);
  const sealed = sealedEvents(db);
  let before: Pick<Seal, "number" | "to" | "digest"> = { number: 0, to: "", digest: FIRST };
  let [events, removed] = [0, 0];
  for await (const seal of everySeal(db)) {
    const where = `seal ${seal.number} (${seal.from} to ${seal.to})`;
    if (seal.number === 1) faults.push(...(await earlierThan(db, seal.from)));
    if (seal.number !== before.number + 1) faults.push(`${where}: the one before it is missing`);
    else if (before.number > 0 && seal.from !== before.to)
      faults.push(`${where}: does not begin where the one before it ends`);
    if (seal.digest !== digestOf(before.digest, seal))
      faults.push(`${where}: its digest is not that of its parts and of the seal before it`);
    const parts = await sealed.partsOf(seal);
    for (const retention of retentions) {
      const [then, found] = [seal.parts[retention], parts[retention]];
      events += found.events;
      const isGone = gone.has(`${retention} ${monthOf(seal)}`);
      if (isGone) removed += 1;
      const isAsSealed = found.sha256 === then.sha256 && found.events === then.events;
      if (isGone ? found.events === 0 : isAsSealed) continue;
      const counts = `${then.events} events were sealed, ${found.events} are there`;
      faults.push(`${where}: ${retention} events have changed; ${counts}`);
    }
    missing.delete(seal.digest);
    before = seal;
  }
  for (const { digest, from, to } of missing.values())
    faults.push(`the seal ${digest} (${from} to ${to}), which was kept, is not there`);
  const last = before.number === 0 ? undefined : before;
  return { seals: before.number, events, removed, faults, last };
}

/** What has been sealed, in one pass: seals are asked for in their order. */
function sealedEvents(db: Database) {
  const events = everyEvent(db, { isSealed: true });
  let next: EventLine | undefined;
  return {
    partsOf: async ({ from, to }: Seal) => {
      const { add, parts } = hashes();
      for (;;) {
        next ??= (await events.next()).value;
        if (next === undefined || next.recordedAt >= to) return parts();
        if (next.recordedAt >= from) add(next);
        next = undefined;
      }
    },
  };
}

/** All events of a seal are in its last hour. */
function monthOf({ to }: Seal): string {
  return new Date(new Date(to).getTime() - 1).toISOString().slice(0, 7);
}

/**
 * By the retention job, whose events say so. A month that went in another way has changed, and so has one of which an event
 * says that it went before its time: only who owns the tables can do that.
 */
async function removedMonths(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.execute<{ readonly which: string }>(sql`
    select (detail->>'retention') || ' ' || (detail->>'month') as which from event
    where retention = 'administration' and kind = 'events-removed'
      and to_regclass('event_' || (detail->>'retention') || '_' || replace(detail->>'month', '-', '_')) is null
      and to_date(detail->>'month', 'YYYY-MM') + make_interval(months =>
        1 + (${JSON.stringify(keptMonths)}::jsonb->>(detail->>'retention'))::int) <= recorded_at at time zone 'UTC'`);
  return new Set(rows.map(({ which }) => which));
}

async function earlierThan(db: Database, instant: string): Promise<readonly string[]> {
  const [row] = await db.execute<{ readonly count: number }>(
    sql`select count(*)::int as count from event where recorded_at < ${instant}::timestamptz`,
  );
  return row === undefined || row.count === 0
    ? []
    : [`${row.count} events are older than the first seal`];
}

async function* everySeal(db: Database): AsyncGenerator<Seal> {
  for (let after = 0; ; ) {
    const page = await sealsAfter(db, sql`number > ${after}`, SEALS_PAGE);
    yield* page;
    after = page.at(-1)?.number ?? after;
    if (page.length < SEALS_PAGE) return;
  }
}

function sealsAfter(db: Database, where: ReturnType<typeof sql>, limit: number) {
  return db.execute<Seal>(sql`
    select number, ${utcText(sql`"from"`)} as "from", ${utcText(sql`"to"`)} as "to", parts, digest from event_seal
    where ${where} order by number limit ${limit}`);
}

/** Hands each seal on that was not handed on before, the oldest first; what fails is tried again. */
export async function sendSeals(db: Database, send: (seal: Seal) => Promise<void>): Promise<void> {
  for (const seal of await sealsAfter(db, sql`sent_at is null`, SEALS_PAGE)) {
    await send(seal);
    await db.execute(
      sql`update event_seal set sent_at = clock_timestamp() where number = ${seal.number} and sent_at is null`,
    );
  }
}
