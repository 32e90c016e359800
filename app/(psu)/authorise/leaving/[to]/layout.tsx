import type { ReactNode } from "react";
import { ClockNotice } from "@/components/frame";
import { Document } from "@/components/page";
import { pageLanguage } from "@/lib/psu/language";
import { departureOf } from "@/lib/psu/page-loaders";

type Props = {
  readonly params: Promise<{ readonly to: string }>;
  readonly children: ReactNode;
};

export default async function LeavingLayout({ params, children }: Props) {
  const departure = await departureOf((await params).to);
  const language = await pageLanguage(departure?.uiLocales);
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
