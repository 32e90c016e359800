import { blocksTable } from "@/lib/staff/blocks";
import { staffCsv } from "@/lib/staff/table";

export const GET = staffCsv({ action: "see-tpps", name: "blocks.csv", load: blocksTable });
