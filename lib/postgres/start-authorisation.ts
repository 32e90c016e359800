import { type SQL, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { fromAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { type GivenTable, givenTable } from "./given-row";
import { givenStatement } from "./given-statement";

export const authorisations = givenTable(authorisation);
const { kind, tppId, requestId } = authorisation;

/**
 * Starts an authorisation, and keeps the row of what it is for: both in one statement, or neither when
 * this TPP has started an authorisation of this kind with this request id before, which yields false. The
 * unique request id decides between two that arrive together, and the later one starts nothing.
 */
export function startingWith<Row>(db: Database, table: GivenTable<Row>) {
  const started = db.$with("started", {}).as(sql`${authorisations.insert()}
    on conflict (${namesOf(kind, tppId, requestId)}) do nothing returning id`);
  const kept = db.$with("kept", {}).as(table.insert(sql`from started`));
  const statement = db.with(started, kept).select({ id: sql`id` }).from(sql`started`);
  const start = givenStatement(db, statement, [authorisations, table]);
  return async (begun: Authorisation, row: Row): Promise<boolean> =>
    (await start(fromAuthorisation(begun), row)) === 1;
}

function namesOf(...columns: readonly { readonly name: string }[]): SQL {
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}
