import { NoticePage } from "@/components/page";
import { pageProfile } from "@/lib/psu/page-services";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { frontLanguage } from "./front";

export default async function NotFound() {
  const texts = textsFor(await frontLanguage());
  const notice = texts.alone["not-found"];
  return (
    <NoticePage
      title={texts.title(notice.heading, pageProfile().name)}
      bankName={pageProfile().name}
      place={texts.frame.place}
      {...notice}
    />
  );
}
