import type { ReactNode } from "react";
import { Document } from "@/components/document";
import { textsFor } from "@/lib/psu/texts/texts-for";

export default function EndedLayout({ children }: { readonly children: ReactNode }) {
  return <Document lang={textsFor().lang}>{children}</Document>;
}
