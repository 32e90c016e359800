import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";

/** The sandbox is for developers: it speaks English only. */
export default function SandboxLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Document lang="en">
      <ClockNotice />
      {children}
    </Document>
  );
}
