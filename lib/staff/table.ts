import type { ReactNode } from "react";
import { csv, csvFile } from "@/lib/csv";
import { mayDo, type StaffAction } from "@/lib/domain/staff";
import { seeOther } from "@/lib/psu/paths";
import { logFault } from "@/lib/psu/services";
import { services as processServices } from "@/lib/services";
import { noteRefusal } from "./forms";
import { FORBIDDEN, NOT_FOUND, staffSignInPath } from "./paths";
import { openStaffVisit, type StaffVisit } from "./visit";

/** What a table shows of a row, in a page and in a file. */
export type Column<Row> = {
  readonly key: string;
  readonly label: string;
  /** What is filtered by and exported, and shown where there is no `cell`. */
  readonly text: (row: Row) => string;
  readonly cell?: (row: Row) => ReactNode;
  /** What it is sorted by; without it, it cannot be. */
  readonly order?: (row: Row) => string | number;
};

/** As the address of a page asks for it. */
export type TableQuery = {
  readonly sort?: string | undefined;
  readonly descending: boolean;
  readonly filter?: string | undefined;
};

type Given = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What Next gives a page. */
export type PageProps = {
  readonly params: Promise<Readonly<Record<string, string>>>;
  readonly searchParams: Promise<Given>;
};

const FILTER_CHARACTERS_MAX = 100;

export function tableQuery({ sort, dir, filter }: Given): TableQuery {
  const textOf = (given: Given[string]) =>
    typeof given === "string" && given !== "" ? given.slice(0, FILTER_CHARACTERS_MAX) : undefined;
  return { sort: textOf(sort), descending: dir === "desc", filter: textOf(filter) };
}

/** The rows that have the filter's text in any column, sorted; in their own order where no column is named. */
export function arranged<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { sort, descending, filter }: TableQuery,
): readonly Row[] {
  const wanted = filter?.toLowerCase();
  const shown = rows.filter(
    (row) =>
      wanted === undefined || columns.some(({ text }) => text(row).toLowerCase().includes(wanted)),
  );
  const order = columns.find(({ key }) => key === sort)?.order;
  if (order === undefined) return shown;
  const sign = descending ? -1 : 1;
  return shown.toSorted((one, other) => sign * compare(order(one), order(other)));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}

type Csv<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
};

type CsvFile<Row> = {
  readonly action: StaffAction;
  readonly name: string;
  /** Undefined where there is nothing at this address. */
  readonly load: (
    visit: StaffVisit,
    params: Readonly<Record<string, string>>,
    query: Given,
  ) => Promise<Csv<Row> | undefined>;
};

type Context = { readonly params: Promise<Readonly<Record<string, string>>> };

/** The handler of a table's file, which has the rows of the page as its query arranges them. */
export function staffCsv<Row>({ action, name, load }: CsvFile<Row>) {
  return async (request: Request, { params }: Context): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    try {
      const visit = await openStaffVisit(processServices(), request.headers);
      if (visit === undefined) return seeOther(staffSignInPath(pathname));
      if (!mayDo(visit.operator.roles, action)) {
        await noteRefusal(visit, action);
        return seeOther(FORBIDDEN);
      }
      const query = Object.fromEntries(searchParams);
      const table = await load(visit, (await params) ?? {}, query);
      if (table === undefined) return seeOther(NOT_FOUND);
      const { columns } = table;
      const rows = arranged(table.rows, columns, tableQuery(query));
      const lines = rows.map((row) => columns.map(({ text }) => text(row)));
      return csvFile(name, csv([columns.map(({ label }) => label), ...lines]));
    } catch (error) {
      logFault(`GET ${name}`, error);
      return new Response(null, { status: 500 });
    }
  };
}
