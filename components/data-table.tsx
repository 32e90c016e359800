import type { Column, TableQuery } from "@/lib/staff/table";
import { arranged } from "@/lib/staff/table";
import { Button } from "./button";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "./table";
import { Links } from "./text";

export type TableTexts = {
  readonly filter: string;
  readonly apply: string;
  readonly csv: string;
  readonly none: string;
};

type Props<Row> = {
  readonly texts: TableTexts;
  /** Of the heading that names it. */
  readonly labelledBy: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly query: TableQuery;
  /** Of the page, without a query. */
  readonly path: string;
  /** Of its file. */
  readonly csvPath?: string;
  /** What the page's query says besides. */
  readonly keep?: Readonly<Record<string, string>>;
};

/** A table with a filter, columns to sort by and a file of what it shows; forms and links, no script. */
export function DataTable<Row>(props: Props<Row>) {
  const { texts, labelledBy, columns, rows, keyOf, query, path, csvPath, keep = {} } = props;
  const shown = arranged(rows, columns, query);
  const heads = columns.map(({ key, label, order }) => {
    if (order === undefined) return { name: label };
    const isSorted = query.sort === key;
    const href = `${path}?${queryOf({ ...query, sort: key, descending: isSorted && !query.descending }, keep)}`;
    const direction = query.descending ? ("descending" as const) : ("ascending" as const);
    return { name: label, href, ...(isSorted && { sort: direction }) };
  });
  return (
    <>
      <form method="get" action={path} className="mt-4 flex flex-wrap items-end gap-3 print:hidden">
        <label className="font-strong" htmlFor={`${labelledBy}-filter`}>
          {texts.filter}
        </label>
        <input
          id={`${labelledBy}-filter`}
          name="filter"
          defaultValue={query.filter}
          className="min-h-12 rounded-field border border-edge bg-card px-3 py-2"
        />
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {query.sort !== undefined && <input type="hidden" name="sort" value={query.sort} />}
        {query.descending && <input type="hidden" name="dir" value="desc" />}
        <Button kind="counter">{texts.apply}</Button>
      </form>
      {shown.length === 0 ? (
        <p className="mt-4">{texts.none}</p>
      ) : (
        <ReflowingTable labelledBy={labelledBy} columns={heads}>
          {shown.map((row) => (
            <ReflowingRow key={keyOf(row)}>
              {columns.map(({ key, label, text, cell }) => (
                <ReflowingCell key={key} label={label}>
                  {cell === undefined ? <bdi>{text(row)}</bdi> : cell(row)}
                </ReflowingCell>
              ))}
            </ReflowingRow>
          ))}
        </ReflowingTable>
      )}
      {csvPath !== undefined && (
        <Links>
          <a href={`${csvPath}?${queryOf(query, keep)}`}>{texts.csv}</a>
        </Links>
      )}
    </>
  );
}

function queryOf(
  { sort, descending, filter }: TableQuery,
  keep: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(keep);
  if (sort !== undefined) query.set("sort", sort);
  if (descending) query.set("dir", "desc");
  if (filter !== undefined) query.set("filter", filter);
  return query.toString();
}
