import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";

export const dynamic = "force-dynamic";

/** For TPPs and the authority, which read it across borders: in English only. */
export default function StatisticsLayout({ children }: { readonly children: ReactNode }) {
  return <BankDocument language="en">{children}</BankDocument>;
}
