import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import { pageLanguage } from "@/lib/psu/page-language";

export default async function EndedLayout({ children }: { readonly children: ReactNode }) {
  const language = await pageLanguage();
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
