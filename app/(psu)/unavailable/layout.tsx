import type { ReactNode } from "react";
import { Document } from "@/components/page";
import { bankProfile } from "@/lib/profile/in-force";

export default function UnavailableLayout({ children }: { readonly children: ReactNode }) {
  return <Document lang={bankProfile().defaultLanguage}>{children}</Document>;
}
