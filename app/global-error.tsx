"use client";

import { Document, NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { languages } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";

/**
 * The last resort, for what no page has caught itself. Next demands a client component here, which
 * sees nothing of the request: it is written in every language.
 */
export default function FaultPage() {
  const { name, defaultLanguage } = aspspProfile;
  const { lang, title, frame, alone } = textsFor(defaultLanguage);
  const others = languages.filter((language) => language !== defaultLanguage).map(textsFor);
  return (
    <Document lang={lang}>
      <NoticePage
        title={title(alone.fault.heading, name)}
        bankName={name}
        place={frame.place}
        {...alone.fault}
      >
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
