import type { StaffFrame } from "@/lib/staff/page-loaders";
import { CSV } from "@/lib/staff/paths";
import { arranged, type Query, type Table, tableQuery } from "@/lib/staff/table";
import { Button } from "./button";
import { type Head, ReflowingCell, ReflowingRow, ReflowingTable } from "./table";
import { Detail, Links, Part, type PartProps } from "./text";

type Props<Row> = {
  readonly frame: Pick<StaffFrame, "texts" | "path">;
  /** Of the heading that names it. */
  readonly labelledBy: string;
  readonly table: Table<Row>;
  /** Of the page's address. */
  readonly asked: Query;
  /** Of its file, below the files of the console. */
  readonly file?: string;
  /** What the page's query says besides. */
  readonly keep?: Readonly<Record<string, string>>;
};

/** A table with a filter, columns to sort by and a file of what it shows; forms and links, no script. */
export function DataTable<Row>({ frame, labelledBy, table, asked, file, keep = {} }: Props<Row>) {
  const { path, texts } = frame;
  const query = tableQuery(asked, labelledBy);
  const { sort, descending, filter } = query;
  const heads = table.columns.map(({ key, label }): Head => {
    const isSorted = sort === key;
    const next = {
      table: labelledBy,
      filter,
      sort: key,
      dir: isSorted && !descending ? "desc" : undefined,
    };
    const direction = descending ? ("descending" as const) : ("ascending" as const);
    const href = addressOf(path, { ...keep, ...next });
    return { name: label, href, ...(isSorted && { sort: direction }) };
  });
  const kept = { ...keep, sort, dir: descending ? "desc" : undefined };
  return (
    <>
      {table.only && <p>{texts.table.only[table.only](table.rows.length)}</p>}
      {table.rows.length > 0 && (
        <form
          method="get"
          action={path}
          className="mt-4 flex flex-wrap items-end gap-3 print:hidden"
        >
          <label className="font-strong" htmlFor={`${labelledBy}-filter`}>
            {texts.table.filter}
          </label>
          <input
            id={`${labelledBy}-filter`}
            name="filter"
            aria-describedby={labelledBy}
            defaultValue={filter}
            className="min-h-12 rounded-field border border-edge bg-card px-3 py-2"
          />
          {Object.entries({ ...kept, table: labelledBy }).map(
            ([name, value]) =>
              value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <Button kind="counter" aria-describedby={labelledBy}>
            {texts.table.apply}
          </Button>
        </form>
      )}
      <RowTable
        labelledBy={labelledBy}
        table={{ ...table, rows: arranged(table, query) }}
        heads={heads}
        none={texts.table.none}
      />
      {file !== undefined && (
        <Links>
          <a href={addressOf(`${CSV}/${file}`, { ...kept, filter })} aria-describedby={labelledBy}>
            {texts.table.csv}
          </a>
        </Links>
      )}
    </>
  );
}

/** A table that is a part of a page, with what follows it there. */
export function TablePart<Row>({
  id,
  heading,
  children,
  ...table
}: Omit<Props<Row>, "labelledBy"> & Pick<PartProps, "id" | "heading"> & Partial<PartProps>) {
  return (
    <Part id={id} heading={heading}>
      <DataTable {...table} labelledBy={id} />
      {children}
    </Part>
  );
}

function addressOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${path}?${new URLSearchParams(given)}`;
}

type RowsProps<Row> = Pick<Props<Row>, "labelledBy" | "table"> & {
  readonly heads: readonly Head[];
  readonly none: string;
};

function RowTable<Row>({ labelledBy, table, heads, none }: RowsProps<Row>) {
  const { columns, rows, keyOf } = table;
  if (rows.length === 0) return <p className="mt-4">{none}</p>;
  return (
    <ReflowingTable labelledBy={labelledBy} columns={heads}>
      {rows.map((row) => (
        <ReflowingRow key={keyOf(row)}>
          {columns.map(({ key, label, text, lines, href }) => {
            const to = href?.(row);
            const shown = lines?.(row).map((line) => <Detail key={line}>{line}</Detail>) ?? (
              <bdi>{text(row)}</bdi>
            );
            return (
              <ReflowingCell key={key} label={label}>
                {to === undefined ? shown : <a href={to}>{shown}</a>}
              </ReflowingCell>
            );
          })}
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}
