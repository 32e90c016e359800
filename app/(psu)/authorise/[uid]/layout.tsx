import type { ReactNode } from "react";
import { ClockNotice } from "@/components/frame";
import { Document } from "@/components/page";
import { languageOf, loadAuthorisationOnce } from "@/lib/psu/page-loaders";

type Props = {
  readonly params: Promise<{ readonly uid: string }>;
  readonly children: ReactNode;
};

export default async function AuthorisationLayout({ params, children }: Props) {
  const language = await languageOf(await loadAuthorisationOnce((await params).uid));
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
