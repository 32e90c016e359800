"use client";

import { Document, NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { languages } from "@/lib/psu/texts/formats";
import { catalogues } from "@/lib/psu/texts/replaced";

/**
 * The last resort, for what no page has caught itself. Next demands a client component here, which
 * sees nothing of the request nor of the bank's profile: it is written in every language, and names no bank.
 */
export default function FaultPage() {
  const [first, ...others] = languages.toReversed().map((language) => catalogues[language]);
  if (first === undefined) return null;
  const { lang, frame, alone } = first;
  return (
    <Document lang={lang}>
      <NoticePage title={alone.fault.heading} place={frame.place} {...alone.fault}>
        {others.map((other) => (
          <div key={other.lang} lang={other.lang}>
            <h2>{other.alone.fault.heading}</h2>
            <Lead>{other.alone.fault.lead}</Lead>
          </div>
        ))}
      </NoticePage>
    </Document>
  );
}
