import "./reference.css";
import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";

export const dynamic = "force-dynamic";

/** The interface is for developers: it is described in English only. */
export default function DocsLayout({ children }: { readonly children: ReactNode }) {
  return <BankDocument language="en">{children}</BankDocument>;
}
