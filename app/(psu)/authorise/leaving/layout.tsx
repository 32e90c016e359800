import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import { textsFor } from "@/lib/psu/texts/texts-for";

export default function LeavingLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Document lang={textsFor().lang}>
      <ClockNotice />
      {children}
    </Document>
  );
}
