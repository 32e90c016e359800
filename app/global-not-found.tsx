import { Document } from "@/components/page";
import { bankFile } from "@/lib/profile/in-force";
import { pageLanguage } from "@/lib/psu/language";
import { pageProfile } from "@/lib/psu/page-services";
import { NO_PAGE } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "./(psu)/psu-page";

export const dynamic = "force-dynamic";

export default async function NotFoundPage() {
  const texts = textsFor(await pageLanguage());
  return (
    <Document lang={texts.lang} theme={bankFile().theme?.version}>
      <Alone
        texts={texts}
        bankName={pageProfile().name}
        path={NO_PAGE}
        notice={texts.alone["not-found"]}
      />
    </Document>
  );
}
