import { TPPS } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { tppsTable } from "@/lib/staff/tpps";
import { tablePage } from "../../staff-page";

export default async function TppsPage({ searchParams }: PageProps) {
  return tablePage({
    action: "see-tpps",
    path: TPPS,
    load: tppsTable,
    words: ({ tpps }) => tpps,
    asked: await searchParams,
    file: "tpps",
  });
}
