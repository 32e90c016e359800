import { statisticsTable } from "@/lib/staff/statistics";
import { staffCsv } from "@/lib/staff/table";

export const GET = staffCsv({
  action: "see-statistics",
  name: "statistics.csv",
  load: statisticsTable,
});
