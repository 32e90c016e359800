import type { ReactNode } from "react";
import { Document } from "@/components/document";

/** The sandbox is for developers: it speaks English only. */
export default function SandboxLayout({ children }: { readonly children: ReactNode }) {
  return <Document lang="en">{children}</Document>;
}
