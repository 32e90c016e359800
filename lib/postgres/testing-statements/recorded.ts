import type { TestDatabase } from "../testing";

/** A statement as it was sent. */
export type Asked = { readonly text: string; readonly params: readonly unknown[] };

/** Notes what is sent to a test database that is given `debug`, but for the ends of transactions. */
export function recorder() {
  const asked: Asked[] = [];
  const debug = (_connection: number, text: string, params: readonly unknown[]) => {
    // The driver writes what it sends into its list of values.
    if (!/^(begin|commit|rollback)\b/.test(text)) asked.push({ text, params: [...params] });
  };
  return { asked, debug };
}

/** How PostgreSQL goes about a statement with these values. */
export async function planOf(
  { sql }: Pick<TestDatabase, "sql">,
  { text, params }: Asked,
): Promise<string> {
  const rows = await sql.unsafe(`explain ${text}`, params as string[]);
  return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
}

/** The statements that have been prepared on the connection of a test database with one. */
export async function preparedIn({ db }: Pick<TestDatabase, "db">): Promise<ReadonlySet<string>> {
  const rows = await db.execute("select statement from pg_prepared_statements");
  return new Set(rows.map((row) => String(row["statement"])));
}
