import { DataTable } from "@/components/data-table";
import { Lead } from "@/components/text";
import { loadStaffPage } from "@/lib/staff/page-loaders";
import { staffTppPath, TPPS } from "@/lib/staff/paths";
import { type PageProps, tableQuery } from "@/lib/staff/table";
import { tppTable } from "@/lib/staff/tpps";
import { StaffPage, staffPage } from "../../staff-page";

export const dynamic = "force-dynamic";

export default async function TppsPage({ searchParams }: PageProps) {
  const query = tableQuery(await searchParams);
  const loading = loadStaffPage({ action: "see-tpps", path: TPPS, load: tppTable });
  return staffPage(loading, (frame, { rows, columns }) => {
    const { tpps: words, table } = frame.texts;
    const linked = columns.map((column) =>
      column.key === "name"
        ? {
            ...column,
            cell: ({ tpp }: (typeof rows)[number]) => (
              <a href={staffTppPath(tpp.id)}>
                <bdi>{tpp.name}</bdi>
              </a>
            ),
          }
        : column,
    );
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <Lead>{words.lead}</Lead>
        <DataTable
          texts={table}
          labelledBy="heading"
          columns={linked}
          rows={rows}
          keyOf={({ tpp }) => tpp.id}
          query={query}
          path={TPPS}
          csvPath={`${TPPS}/tpps.csv`}
        />
      </StaffPage>
    );
  });
}
