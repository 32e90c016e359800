import { DataTable } from "@/components/data-table";
import { Lead } from "@/components/text";
import { blocksTable } from "@/lib/staff/blocks";
import { loadStaffPage } from "@/lib/staff/page-loaders";
import { BLOCKS } from "@/lib/staff/paths";
import { type PageProps, tableQuery } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";
import { linkedRequestColumns } from "./requests";

export const dynamic = "force-dynamic";

export default async function BlocksPage({ searchParams }: PageProps) {
  const query = tableQuery(await searchParams);
  const loading = loadStaffPage({ action: "see-tpps", path: BLOCKS, load: blocksTable });
  return staffPage(loading, (frame, { rows }) => (
    <StaffPage frame={frame} heading={frame.texts.tpps.blocks.heading}>
      <Lead>{frame.texts.tpps.blocks.lead}</Lead>
      <DataTable
        texts={frame.texts.table}
        labelledBy="heading"
        columns={linkedRequestColumns(frame)}
        rows={rows}
        keyOf={({ id }) => id}
        query={query}
        path={BLOCKS}
        csvPath={`${BLOCKS}/blocks.csv`}
      />
    </StaffPage>
  ));
}
