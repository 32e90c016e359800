import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { type EventFilter, type HeldSubject, heldSubjects, isEventKind } from "@/lib/domain/events";
import { isTppId } from "@/lib/domain/tpp";
import type { PsuId, TppId } from "@/lib/domain/values";
import { isUuid } from "@/lib/domain/values";
import type { Database } from "@/lib/postgres/client";
import { type KeptSeal, verifyEvents } from "@/lib/postgres/event-seals";
import { eventLog, everyEvent } from "@/lib/postgres/events";
import { CommandFailed } from "../command-failed";
import { parseInstant } from "../instant";
import { asOperator, checkedReason, operator } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- events export --from INSTANT --to INSTANT [--kind KIND] [--customer ID | --tpp ID | --resource UUID]
npm run bank -- events verify [--seals FILE]
npm run bank -- events hold --customer ID | --tpp ID | --resource UUID --reason TEXT
npm run bank -- events release NUMBER
npm run bank -- events holds

export prints a line of JSON for each event, in the order in which they were recorded. verify compares every sealed hour with
its seal, and ends with 1 when an event was changed, removed or inserted afterwards. hold keeps the months that have an event
of a customer, a TPP, or a consent or payment from being removed when their time is over, until it is released.

  --from, --to  as in 2026-12-31T00:00:00Z
  --kind KIND   one of docs/events.md, such as tpp-blocked
  --seals FILE  seals that were kept outside of the database (EVENT_SEALS_TO), each of which has to be in it`;

const options = {
  from: { type: "string" },
  to: { type: "string" },
  kind: { type: "string" },
  customer: { type: "string" },
  tpp: { type: "string" },
  resource: { type: "string" },
  reason: { type: "string" },
  seals: { type: "string" },
} as const;

type Given = Readonly<Partial<Record<keyof typeof options, string | undefined>>>;
type Task = {
  /** Of one that changes something. */
  readonly command?: string;
  readonly work: (db: Database) => Promise<string>;
};

export async function run(args: readonly string[]): Promise<string> {
  const { command, work } = taskOf(args);
  return asOperator({ command }, work);
}

/** Everything that is wrong with the words is found before the database is looked for. */
function taskOf(args: readonly string[]): Task {
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, number, ...more] = parsed.positionals;
  const values = asRecorded(parsed.values);
  if (verb === "export" && number === undefined) {
    const filter = filterOf(values);
    return { work: (db) => exported(db, filter) };
  }
  if (verb === "verify" && number === undefined)
    return { work: (db) => verified(db, values.seals) };
  if (verb === "hold" && number === undefined) {
    const [about, ...others] = heldSubjects.filter((kind) => values[kind] !== undefined);
    const { reason } = values;
    const subject = about && values[about];
    if (!about || !subject || others.length > 0 || reason === undefined)
      throw new WrongUsage("hold needs --reason and one of --customer, --tpp, --resource");
    return { command: "events hold", work: (db) => hold(db, { about, subject, reason }) };
  }
  if (verb === "release" && more.length === 0 && /^\d{1,9}$/.test(number ?? "none"))
    return { command: "events release", work: (db) => release(db, Number(number)) };
  if (verb === "holds" && number === undefined) return { work: holds };
  throw new WrongUsage("events needs: export, verify, hold, release NUMBER, or holds");
}

/** Subjects in the form in which events name them: a hold on any other text would hold nothing. */
function asRecorded(given: Given): Given {
  const { tpp, resource, reason } = given;
  if (tpp !== undefined && !isTppId(tpp))
    throw new WrongUsage(`--tpp ${tpp} is not of the form PSDRO-NBR-1234567`);
  if (resource !== undefined && !isUuid(resource))
    throw new WrongUsage("--resource is no consent's or payment's id");
  return { ...given, resource: resource?.toLowerCase(), reason: checkedReason(reason) };
}

function filterOf({ from, to, kind, customer, tpp, resource }: Given): EventFilter {
  const [begin, end] = [from, to].map((text) => parseInstant(text ?? "none")?.toISOString());
  if (begin === undefined || end === undefined)
    throw new WrongUsage("export needs --from INSTANT and --to INSTANT");
  if (kind !== undefined && !isEventKind(kind))
    throw new WrongUsage(`--kind is none of docs/events.md: ${kind}`);
  return {
    from: begin,
    to: end,
    kind,
    ...(customer !== undefined && { psuId: customer as PsuId }),
    ...(tpp !== undefined && { tppId: tpp as TppId }),
    ...(resource !== undefined && { resourceId: resource }),
  };
}

/** Straight to the output: an export has no bound. */
async function exported(db: Database, filter: EventFilter): Promise<string> {
  const { psuId } = filter;
  if (psuId !== undefined) {
    const detail = { what: "events export" };
    await eventLog(db).record({ kind: "customer-viewed", psuId, detail });
  }
  let events = 0;
  for await (const { line } of everyEvent(db, filter)) {
    events += 1;
    if (!process.stdout.write(`${line}\n`)) {
      await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  }
  process.stderr.write(`${events} events\n`);
  return "";
}

async function verified(db: Database, file: string | undefined): Promise<string> {
  const kept = file === undefined ? [] : sealsIn(await readFile(file, "utf8"));
  const { seals, events, removed, faults, last } = await verifyEvents(db, kept);
  if (faults.length > 0) throw new CommandFailed(faults.join("\n"));
  const gone = removed === 0 ? "" : `; ${removed} parts of seals are of months that were removed`;
  return `${events} events in ${seals} sealed hours are as they were recorded${gone}\n${
    last === undefined ? "there is no seal yet" : `sealed until ${last.to}: ${last.digest}`
  }`;
}

/** Also where a line has more than the seal, as that of a syslog server has. */
function sealsIn(text: string): readonly KeptSeal[] {
  const seals = text.split("\n").flatMap((line) => {
    const value = (name: string) => line.match(`"${name}":"([\\w:.-]{20,64})"`)?.[1];
    const [digest, from, to] = [value("digest"), value("from"), value("to")];
    return digest && from && to ? [{ digest, from, to }] : [];
  });
  if (seals.length === 0) throw new CommandFailed("the file has no seals");
  return seals;
}

type NewHold = { readonly about: HeldSubject; readonly subject: string; readonly reason: string };

async function hold(db: Database, { about, subject, reason }: NewHold): Promise<string> {
  const [row] = await db.execute<{ readonly id: string }>(sql`
    insert into legal_hold (subject_kind, subject, reason, placed_by, placed_at)
    values (${about}, ${subject}, ${reason}, ${operator()}, now()) returning id::text`);
  return `hold ${row?.id}: nothing of ${about} ${subject} is removed until it is released`;
}

async function release(db: Database, number: number): Promise<string> {
  const rows = await db.execute(sql`
    update legal_hold set released_at = now(), released_by = ${operator()}
    where id = ${number} and released_at is null returning id`);
  if (rows.length === 0) throw new CommandFailed(`there is no hold ${number} in force`);
  return `hold ${number} is released`;
}

async function holds(db: Database): Promise<string> {
  type Row = Readonly<Record<"id" | "about" | "subject" | "reason" | "by" | "at", string>>;
  const rows = await db.execute<Row>(sql`
    select id::text, subject_kind as about, subject, reason, placed_by as by,
      to_char(placed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from legal_hold where released_at is null order by id limit 1000`);
  if (rows.length === 0) return "no holds";
  return rows
    .map(
      ({ id, about, subject, reason, by, at }) =>
        `${id}  ${at}  ${about} ${subject}  ${reason}  (${by})`,
    )
    .join("\n");
}
