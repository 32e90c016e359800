import { type IsoDate, parseIsoDate } from "@/lib/domain/values";
import type { StaffTexts } from "./texts/en";

/** What a table shows of a row, in a page and in a file. */
export type Column<Row> = Cell<Row> & { readonly key: string; readonly label: string };

type Cell<Row> = {
  /** What is shown, filtered by and exported. */
  readonly text: (row: Row) => string;
  /** Shown in place of the text, one below the other. */
  readonly lines?: (row: Row) => readonly string[];
  /** Where the text leads to in a page; undefined for nowhere. */
  readonly href?: (row: Row) => string | undefined;
  /** What it is sorted by; without it by its text. */
  readonly order?: (row: Row) => string | number;
};

/** The columns in the order of `cells`, each with the label of its key; a function is the text of a cell. */
export function columnsOf<Row, Key extends string>(
  labels: Readonly<Record<NoInfer<Key>, string>>,
  cells: Readonly<Record<Key, Cell<Row> | Cell<Row>["text"]>>,
): readonly Column<Row>[] {
  return (Object.keys(cells) as Key[]).map((key) => {
    const cell: Cell<Row> | Cell<Row>["text"] = cells[key];
    return { key, label: labels[key], ...(typeof cell === "function" ? { text: cell } : cell) };
  });
}

/** Instants of the bank's time, which are sorted as such; `none` where there is none. */
export function instantCell<Row>(
  texts: Pick<StaffTexts, "instant">,
  timeZone: string,
  at: (row: Row) => Date | undefined,
  none = "–",
): Cell<Row> {
  return {
    text: (row) => {
      const instant = at(row);
      return instant === undefined ? none : texts.instant(instant, timeZone);
    },
    order: (row) => at(row)?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

export type Table<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where there are more rows than these: which ones these are. */
  readonly only?: keyof StaffTexts["table"]["only"];
};

/** A table says by one row more than it may have that there are more; these are in the order of `kept`. */
export function cutTo<Row>(
  table: Table<Row>,
  most: number,
  kept: "first" | "newest-first" | "newest-last",
): Table<Row> {
  if (table.rows.length <= most) return table;
  const rows = kept === "newest-last" ? table.rows.slice(-most) : table.rows.slice(0, most);
  return { ...table, rows, only: kept === "first" ? "first" : "newest" };
}

/** As the address of a page asks for it. */
export type TableQuery = {
  readonly sort?: string | undefined;
  readonly descending: boolean;
  readonly filter?: string | undefined;
};

/** The query of an address, as Next gives it. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A day that an address asks for, within the years that the bank's clock can have; undefined for any other text. */
export function dayAsked(text: Query[string]): IsoDate | undefined {
  const day = typeof text === "string" ? parseIsoDate(text) : undefined;
  return day?.startsWith("2") ? day : undefined;
}

export type PageProps = {
  readonly params: Promise<Readonly<Record<string, string>>>;
  readonly searchParams: Promise<Query>;
};

const FILTER_CHARACTERS_MAX = 100;

/** Of the table with this name, where the address names one of several of its page. */
export function tableQuery({ table, sort, dir, filter }: Query, name = table): TableQuery {
  if (table !== undefined && table !== name) return { descending: false };
  const textOf = (given: Query[string]) =>
    typeof given === "string" && given !== "" ? given.slice(0, FILTER_CHARACTERS_MAX) : undefined;
  return { sort: textOf(sort), descending: dir === "desc", filter: textOf(filter) };
}

/** The rows that have the filter's text in any column, sorted; in their own order where no column is named. */
export function arranged<Row>(
  { rows, columns }: Pick<Table<Row>, "rows" | "columns">,
  { sort, descending, filter }: TableQuery,
): readonly Row[] {
  const wanted = filter?.toLowerCase();
  const shown = rows.filter(
    (row) =>
      wanted === undefined || columns.some(({ text }) => text(row).toLowerCase().includes(wanted)),
  );
  const sorted = columns.find(({ key }) => key === sort);
  if (sorted === undefined) return shown;
  const { text, order = text } = sorted;
  const sign = descending ? -1 : 1;
  return shown.toSorted((one, other) => sign * compare(order(one), order(other)));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}
