import type { ReactNode } from "react";
import { Document } from "@/components/page";
import { bankFile } from "@/lib/profile/in-force";

export default function UnavailableLayout({ children }: { readonly children: ReactNode }) {
  const { profile, theme } = bankFile();
  return (
    <Document lang={profile.defaultLanguage} theme={theme?.version}>
      {children}
    </Document>
  );
}
