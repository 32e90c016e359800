import type postgres from "postgres";

/** There is one row, and there will never be more. */
export const doNotGrow: readonly string[] = ["sandbox_clock"];

/** Columns that take few values, however many rows there are. */
const kept: readonly string[] = [
  "model",
  "kind",
  "status",
  "sca_status",
  "purpose",
  "what",
  "currency",
];

/**
 * Copies a row of each table that grows, with other values in the columns that are looked for; neither
 * triggers nor foreign keys have a say. Throws when a table has no row to copy.
 */
export async function manyRows(sql: postgres.Sql, rowsOfEach: number): Promise<void> {
  const columns = await sql<Column[]>`
    select c.table_name as table, c.column_name as name, c.udt_name as type,
      exists (select from pg_index i join pg_attribute a
        on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indrelid = c.table_name::regclass and a.attname = c.column_name) as indexed
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.is_generated = 'NEVER' and c.is_identity = 'NO'`;
  const tables = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !doNotGrow.includes(table),
  );
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role to replica`;
    for (const table of tables) {
      const own = columns.filter((column) => column.table === table);
      const { count } = await tx.unsafe(copying(table, own, rowsOfEach));
      if (count !== rowsOfEach) throw new Error(`${table} has no row to copy`);
    }
  });
  await sql`analyze`;
}

type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
};

function copying(table: string, columns: readonly Column[], rows: number): string {
  const names = columns.map(({ name }) => name).join(", ");
  const copied = columns.map((column) => {
    const own = `one.${column.name}`;
    const other = column.indexed && !kept.includes(column.name) ? others[column.type] : undefined;
    return other === undefined ? own : `case when ${own} is not null then ${other} end`;
  });
  // One of the bank's own accounts cannot have a second one beside it.
  const which = table === "ledger_account" ? "where kind <> 'internal'" : "";
  return `insert into ${table} (${names}) select ${copied.join(", ")}
    from (select * from ${table} ${which} limit 1) one, generate_series(1, ${rows}) n`;
}

/** Another value for each copy, by the type of the column. */
const others: Readonly<Record<string, string>> = {
  uuid: "gen_random_uuid()",
  text: "md5(random()::text)",
  varchar: "md5(random()::text)",
  date: "date '2026-11-20' - (n % 1000)::int",
  timestamptz: "timestamptz '2026-11-20' - make_interval(mins => (n % 100000)::int)",
};
