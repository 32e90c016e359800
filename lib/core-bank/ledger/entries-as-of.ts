import { type SQL, sql } from "drizzle-orm";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { pendingLineOn } from "./entry-line";

/** Which entries a report is about; written out in its statement, or no index of some of them applies. */
export type Statuses = "pending" | "booked" | "both";

/** A page of a report: `rows` at most, in the statement too, so that its plan is made for so many. */
export type PageForm = {
  readonly statuses: Statuses;
  readonly isFollowing: boolean;
  readonly rows: number;
};

type Position = typeof ledgerEntry.day | typeof ledgerEntry.pendingDay;

const { accountId, id, day, pendingDay, status, enteredIn, bookedIn } = ledgerEntry;
const asked = (name: "accountId" | "from" | "to" | "day" | "id" | "asOf") => sql.placeholder(name);
const revisionThen = sql`${asked("asOf")}::bigint`;
const entered = sql`${enteredIn} <= ${revisionThen}`;

/** Newest first: lines with the position that they stand at. */
export function entriesOf({ statuses, isFollowing, rows }: PageForm): SQL {
  const limit = sql`limit ${sql.raw(String(rows))}`;
  const present = entriesNow(statuses, isFollowing ? followingNow : sql``, limit);
  if (!isFollowing || statuses === "booked") return present;
  return sql`(${present}) union all (${entriesThen(limit)}) order by at desc, id desc ${limit}`;
}

/** The books as they are, which is the index read backwards. */
function entriesNow(statuses: Statuses, further: SQL, limit: SQL): SQL {
  return sql`select ${ledgerEntry.line} as line, ${day} as at, ${id} as id from ${ledgerEntry}
    where ${accountId} = ${asked("accountId")} and ${isWithin(day)} ${hasStatus[statuses]} ${further}
    order by ${day} desc, ${id} desc ${limit}`;
}

/**
 * A following page is read in the books as they were when the report was begun. The cursor is a position
 * and no offset, so nothing that is entered above it matters.
 */
const followingNow = sql`and ${isBelowCursor(day)} and ${entered}
  and (${bookedIn} is null or ${bookedIn} <= ${revisionThen})`;

/**
 * An entry that was pending then and has been booked since is looked up where it was: its booking date
 * lies above the cursor, and the report would never come to it.
 */
function entriesThen(limit: SQL): SQL {
  const line = pendingLineOn(sql`${pendingDay}`);
  return sql`select ${line} as line, ${pendingDay} as at, ${id} as id from ${ledgerEntry}
    where ${accountId} = ${asked("accountId")} and ${pendingDay} is not null
      and ${bookedIn} > ${revisionThen} and ${entered}
      and ${isWithin(pendingDay)} and ${isBelowCursor(pendingDay)}
    order by ${pendingDay} desc, ${id} desc ${limit}`;
}

/**
 * Both days inclusive. The later one is a position, like a cursor: of two days PostgreSQL would think that
 * hardly anything lies between them, whichever they are, and make a plan anew for each page.
 */
function isWithin(position: Position): SQL {
  return sql`${position} >= ${asked("from")}
    and (${position}, ${id}) < (${asked("to")}::date + 1, '00000000-0000-0000-0000-000000000000')`;
}

function isBelowCursor(position: Position): SQL {
  return sql`(${position}, ${id}) < (${asked("day")}::date, ${asked("id")}::uuid)`;
}

const hasStatus: Readonly<Record<Statuses, SQL>> = {
  pending: sql`and ${status} = 'pending'`,
  booked: sql`and ${status} = 'booked'`,
  both: sql``,
};
