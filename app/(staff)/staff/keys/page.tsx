import { DataTable } from "@/components/data-table";
import { Lead } from "@/components/text";
import { keysTable } from "@/lib/staff/operations";
import { loadStaffPage } from "@/lib/staff/page-loaders";
import { KEYS } from "@/lib/staff/paths";
import { type PageProps, tableQuery } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

export const dynamic = "force-dynamic";

export default async function KeysPage({ searchParams }: PageProps) {
  const query = tableQuery(await searchParams);
  const loading = loadStaffPage({ action: "see-statistics", path: KEYS, load: keysTable });
  return staffPage(loading, (frame, table) => (
    <StaffPage frame={frame} heading={frame.texts.keys.heading}>
      <Lead>{frame.texts.keys.lead}</Lead>
      <DataTable
        texts={frame.texts.table}
        labelledBy="heading"
        {...table}
        keyOf={({ what, subject, end }) => `${what} ${subject} ${end?.getTime()}`}
        query={query}
        path={KEYS}
        csvPath={`${KEYS}/keys.csv`}
      />
    </StaffPage>
  ));
}
