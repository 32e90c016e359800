import type { ReactNode } from "react";
import { Document } from "@/components/document";
import { aspspProfile } from "@/lib/domain/aspsp-profile";

export default function UnavailableLayout({ children }: { readonly children: ReactNode }) {
  return <Document lang={aspspProfile.defaultLanguage}>{children}</Document>;
}
