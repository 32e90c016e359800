import { blocksTable } from "@/lib/staff/blocks";
import { BLOCKS } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { tablePage } from "../../staff-page";

export default async function BlocksPage({ searchParams }: PageProps) {
  return tablePage({
    action: "see-tpps",
    path: BLOCKS,
    load: blocksTable,
    words: ({ tpps }) => tpps.blocks,
    asked: await searchParams,
    file: "blocks",
  });
}
