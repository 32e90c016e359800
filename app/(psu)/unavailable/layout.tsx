import type { ReactNode } from "react";
import { Document } from "@/components/page";
import { aspspProfile } from "@/lib/domain/bank-profile";

export default function UnavailableLayout({ children }: { readonly children: ReactNode }) {
  return <Document lang={aspspProfile.defaultLanguage}>{children}</Document>;
}
