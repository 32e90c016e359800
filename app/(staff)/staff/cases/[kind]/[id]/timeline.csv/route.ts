import { timelineColumns } from "@/app/(staff)/case-tables";
import { caseView } from "@/lib/staff/cases";
import { staffCsv } from "@/lib/staff/table";
import { staffTextsFor } from "@/lib/staff/texts/texts-for";

export const GET = staffCsv({
  action: "see-customer",
  name: "timeline.csv",
  load: async (visit, params) => {
    const view = await caseView(visit, params);
    const { timeZone } = visit.services.profile;
    const texts = staffTextsFor(visit.language);
    return view && { columns: timelineColumns({ texts, timeZone }), rows: view.entries };
  },
});
