import { Document } from "@/components/document";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "./(psu)/authorise/alone";

export const dynamic = "force-dynamic";

export default function NotFoundPage() {
  const texts = textsFor();
  return (
    <Document lang={texts.lang}>
      <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone["not-found"]} />
    </Document>
  );
}
