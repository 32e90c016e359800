import { Document } from "@/components/document";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { NO_PAGE } from "@/lib/psu/own-page";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "./(psu)/authorise/alone";

export const dynamic = "force-dynamic";

export default async function NotFoundPage() {
  const texts = textsFor(await pageLanguage());
  return (
    <Document lang={texts.lang}>
      <Alone
        texts={texts}
        bankName={aspspProfile.name}
        path={NO_PAGE}
        notice={texts.alone["not-found"]}
      />
    </Document>
  );
}
