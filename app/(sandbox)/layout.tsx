import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import { frontLanguage } from "./front-language";

export const dynamic = "force-dynamic";

export default async function SandboxLayout({ children }: { readonly children: ReactNode }) {
  const language = await frontLanguage();
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
