import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import { pageLanguage } from "@/lib/psu/page-language";

/** The root of every page of the bank's own channel. */
export async function OwnDocument({ children }: { readonly children: ReactNode }) {
  const language = await pageLanguage();
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
