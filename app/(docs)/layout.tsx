import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import "./reference.css";

/** The interface is for developers: it is described in English only. */
export default function DocsLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Document lang="en">
      <ClockNotice language="en" />
      {children}
    </Document>
  );
}
