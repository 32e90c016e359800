import { type SQL, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { Start } from "@/lib/domain/sca/authorisation-store";
import { fromAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { type GivenTable, type GivenValues, givenTable } from "./given-row";
import { givenStatement } from "./given-statement";

const { decidedAt, kind, openSlot, requestId, tppId } = authorisation;

/** An open authorisation holds one of its TPP's slots; `from` has to yield the free one, see `freeSlot`. */
export const authorisations = givenTable(authorisation, {
  column: openSlot,
  value: sql`(select free.slot from free)`,
});

type Slots = Pick<Authorisation, "tppId"> & { readonly openMax: number };

/** How many slots the TPP has, and whose they are. */
export const slots: GivenValues<Slots> = {
  places: ["slots.count", "slots.tppId"],
  values: (of) => [of.openMax, of.tppId],
};

/**
 * The CTEs that a statement begins with whose authorisation needs a slot: `free` has it, or none when the
 * TPP holds all its slots. The first attempt takes one at random and reads nothing, since most are free;
 * where that one is held, or somebody who starts at the same time has taken it, the unique index refuses
 * the statement and the next attempt looks for one that is free, see `choosingAgain`.
 */
export function freeSlot(db: Database, attempt: "first" | "next") {
  const [count, tpp] = slots.places.map((place) => sql.placeholder(place));
  const all = db
    .$with("all_slots", {})
    .as(sql`select ${count}::int as count, ${tpp}::text as of_tpp`);
  const slot = {
    first: sql`floor(random() * count)::int`,
    // At random, so that of many who look at once few choose the same one.
    next: sql`(select slot from generate_series(0, count - 1) slot
      where not exists (select from ${authorisation}
        where ${tppId} = of_tpp and ${openSlot} = slot and ${decidedAt} is null)
      order by random() limit 1)`,
  }[attempt];
  const free = db.$with("free", {}).as(sql`select ${slot} as slot from all_slots`);
  return [all, free] as const;
}

/** For an insert of what needs the slot. */
export const ifFree = sql`from free where free.slot is not null`;

/**
 * Starts an authorisation, and keeps the row of what it is for: both in one statement, or neither. The
 * unique request id decides between two that arrive together, and the later one starts nothing.
 */
export function startingWith<Row>(db: Database, table: GivenTable<Row>) {
  const started = db.$with("started", {}).as(sql`${authorisations.insert(ifFree)}
    on conflict (${namesOf(kind, tppId, requestId)}) do nothing returning id`);
  const kept = db.$with("kept", {}).as(table.insert(sql`from started`));
  const [ofKind, ofTpp, ofRequest] = used.places.map((place) => sql.placeholder(place));
  const outcome = sql<Start>`case when exists (select from started) then 'kept'
    when free.slot is not null or exists (select from ${authorisation}
      where ${kind} = ${ofKind} and ${tppId} = ${ofTpp} and ${requestId} = ${ofRequest}) then 'used'
    else 'full' end`;
  const attempt = (which: "first" | "next") => {
    const statement = db
      .with(...freeSlot(db, which), started, kept)
      .select({ outcome })
      .from(sql`free`);
    return givenStatement(db, statement, [slots, authorisations, table, used]);
  };
  const attempts = { first: attempt("first"), next: attempt("next") };
  return (begun: Authorisation, row: Row, openMax: number): Promise<Start> =>
    choosingAgain(async (which) => {
      const ofTheTpp = { tppId: begun.tppId, openMax };
      const [found] = await attempts[which](ofTheTpp, fromAuthorisation(begun), row, begun);
      return startOf(found?.[0]);
    });
}

const used: GivenValues<Pick<Authorisation, "kind" | "tppId" | "requestId">> = {
  places: ["used.kind", "used.tppId", "used.requestId"],
  values: (by) => [by.kind, by.tppId, by.requestId],
};

function startOf(outcome: unknown): Start {
  if (outcome === "kept" || outcome === "used" || outcome === "full") return outcome;
  throw new Error("a start has no outcome");
}

/** The more of them there are, the fewer slots are left: then it is `full`. */
const ATTEMPTS_MAX = 20;

/** Another slot, when the one that was chosen is held. */
export async function choosingAgain<Result>(
  start: (attempt: "first" | "next") => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(attempt === 1 ? "first" : "next");
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isSlotTaken(error)) throw error;
    }
  }
}

function isSlotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("constraint_name" in error) return error.constraint_name === "authorisation_open_slot";
  return isSlotTaken(error.cause);
}

function namesOf(...columns: readonly { readonly name: string }[]): SQL {
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}
