import { permissionColumns } from "@/app/(staff)/case-tables";
import { customerView } from "@/lib/staff/customers";
import { staffCsv } from "@/lib/staff/table";
import { staffTextsFor } from "@/lib/staff/texts/texts-for";

export const GET = staffCsv({
  action: "see-customer",
  name: "permissions.csv",
  load: async (visit, { psuId = "none" }) => {
    const view = await customerView(visit, psuId);
    const { timeZone } = visit.services.profile;
    const texts = staffTextsFor(visit.language);
    return view && { columns: permissionColumns({ texts, timeZone }), rows: view.permissions };
  },
});
