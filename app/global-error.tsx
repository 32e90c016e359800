"use client";

import { Document } from "@/components/document";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "./(psu)/authorise/alone";

/** The last resort, for what no page has caught itself. Next demands a client component here. */
export default function FaultPage() {
  const texts = textsFor();
  return (
    <Document lang={texts.lang}>
      <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone.fault} />
    </Document>
  );
}
