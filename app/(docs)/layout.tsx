import "./reference.css";
import type { ReactNode } from "react";
import { ClockNotice } from "@/components/frame";
import { Document } from "@/components/page";

/** The interface is for developers: it is described in English only. */
export default function DocsLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Document lang="en">
      <ClockNotice language="en" />
      {children}
    </Document>
  );
}
