import type { ReactNode } from "react";
import { ClockNotice } from "@/components/clock-notice";
import { Document } from "@/components/document";
import { languageOf } from "@/lib/psu/arrival";
import { arrived } from "./arrived";

type Props = {
  readonly params: Promise<{ readonly uid: string }>;
  readonly children: ReactNode;
};

export default async function AuthorisationLayout({ params, children }: Props) {
  const language = await languageOf(await arrived((await params).uid));
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
