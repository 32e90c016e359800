import { keysTable } from "@/lib/staff/health-and-keys";
import { KEYS } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { tablePage } from "../../staff-page";

export default async function KeysPage({ searchParams }: PageProps) {
  return tablePage({
    action: "see-statistics",
    path: KEYS,
    load: keysTable,
    words: ({ keys }) => keys,
    asked: await searchParams,
    file: "keys",
  });
}
