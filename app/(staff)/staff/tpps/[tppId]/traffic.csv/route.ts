import { staffCsv } from "@/lib/staff/table";
import { trafficTable } from "@/lib/staff/tpps";

export const GET = staffCsv({ action: "see-tpps", name: "traffic.csv", load: trafficTable });
