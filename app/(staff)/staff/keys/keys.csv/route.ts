import { keysTable } from "@/lib/staff/operations";
import { staffCsv } from "@/lib/staff/table";

export const GET = staffCsv({ action: "see-statistics", name: "keys.csv", load: keysTable });
