import type { ReactNode } from "react";
import { ClockNotice } from "@/components/frame";
import { Document } from "@/components/page";
import { frontLanguage } from "./front";

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
