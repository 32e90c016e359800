import { staffCsv } from "@/lib/staff/table";
import { tppTable } from "@/lib/staff/tpps";

export const GET = staffCsv({ action: "see-tpps", name: "tpps.csv", load: tppTable });
