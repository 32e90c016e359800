import type { ReactNode } from "react";
import { ClockNotice } from "@/components/frame";
import { Document } from "@/components/page";
import { pageLanguage } from "@/lib/psu/language";

export default async function EndedLayout({ children }: { readonly children: ReactNode }) {
  const language = await pageLanguage();
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
