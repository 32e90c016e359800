import { csv, csvFile } from "@/lib/csv";
import type { StaffAction } from "@/lib/domain/staff";
import { seeOther } from "@/lib/psu/paths";
import { logFault } from "@/lib/psu/ports";
import { services as processServices } from "@/lib/services";
import { blocksTable } from "./blocks";
import { caseView, searchView } from "./cases";
import { customerView } from "./customers";
import { eventsView } from "./events";
import { admitted } from "./forms";
import { keysTable } from "./health-and-keys";
import { CSV, NOT_FOUND } from "./paths";
import { statisticsTable, statisticsView } from "./statistics";
import { arranged, type Query, type Table, tableQuery } from "./table";
import { tppsTable, tppView } from "./tpps";
import type { StaffVisit } from "./visit";

/** The files of the console's tables by the name in their address, which ids may follow. */
const files = {
  tpps: file("see-tpps", tppsTable),
  traffic: file("see-tpps", async (visit, [part]) => (await tppView(visit, part))?.traffic),
  requests: file("see-tpps", async (visit, [part]) => (await tppView(visit, part))?.requests),
  certificates: file("see-tpps", async (visit, [part]) => {
    return (await tppView(visit, part))?.certificates;
  }),
  consents: file("see-tpps", async (visit, [part]) => (await tppView(visit, part))?.consents),
  blocks: file("see-tpps", blocksTable),
  statistics: file("see-statistics", statisticsTable),
  sums: file("see-statistics", async (visit, [wanted], query) => {
    return (await statisticsView(visit, query)).sums.find(({ name }) => name === wanted)?.table;
  }),
  keys: file("see-statistics", keysTable),
  timeline: file("see-customer", async (visit, [kind = "none", id = "none"]) => {
    return (await caseView(visit, kind, id))?.timeline;
  }),
  permissions: file("see-customer", async (visit, [psuId]) => {
    return (await customerView(visit, psuId))?.permissions;
  }),
  events: file("see-events", async (visit, _ids, query) => (await eventsView(visit, query)).table),
  "found-cases": file("search", async (...asked) => (await foundIn(...asked))?.cases),
  "found-tpps": file("search", async (...asked) => (await foundIn(...asked))?.tpps),
  "found-refused": file("search", async (...asked) => (await foundIn(...asked))?.refused),
};

async function foundIn(visit: StaffVisit, _ids: readonly string[], { s }: Query) {
  return (await searchView(visit, s)).result;
}

type Lines = readonly (readonly string[])[];

function file<Row>(
  action: StaffAction,
  /** Undefined where there is nothing at this address. */
  load: (
    visit: StaffVisit,
    ids: readonly string[],
    query: Query,
  ) => Promise<Table<Row> | undefined>,
) {
  const lines = async (visit: StaffVisit, ids: readonly string[], query: Query) => {
    const table = await load(visit, ids, query);
    if (table === undefined) return undefined;
    const { columns } = table;
    const rows = arranged(table, tableQuery(query)).map((row) =>
      columns.map(({ text }) => text(row)),
    );
    return [columns.map(({ label }) => label), ...rows] satisfies Lines;
  };
  return { action, lines };
}

/** The handler of all of them: a file has the rows of its page as the query arranges them. */
export async function downloadTable(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [name = "none", ...ids] = pathname.slice(CSV.length + 1).split("/");
  const asked = Object.hasOwn(files, name) ? files[name as keyof typeof files] : undefined;
  try {
    if (asked === undefined) return seeOther(NOT_FOUND);
    const of = { action: asked.action, path: pathname };
    const visit = await admitted(processServices(), request.headers, of);
    if (typeof visit === "string") return seeOther(visit);
    const lines = await asked.lines(visit, ids, Object.fromEntries(searchParams));
    return lines === undefined ? seeOther(NOT_FOUND) : csvFile(`${name}.csv`, csv(lines));
  } catch (error) {
    logFault("GET of a table of the staff console", error);
    return new Response(null, { status: 500 });
  }
}
