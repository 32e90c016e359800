import type { ReactNode } from "react";
import { Document } from "@/components/document";
import { policyFor } from "@/lib/psu/arrival";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { arrivalOf } from "./arrival";

type Props = {
  readonly children: ReactNode;
  readonly params: Promise<{ readonly uid: string }>;
};

export default async function AuthorisationLayout({ children, params }: Props) {
  const { uid } = await params;
  const policy = policyFor(await arrivalOf(uid));
  return (
    <Document lang={textsFor().lang} policy={policy}>
      {children}
    </Document>
  );
}
