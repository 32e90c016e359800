import { NoticePage } from "@/components/page";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { frontLanguage } from "./front";

export default async function NotFound() {
  const texts = textsFor(await frontLanguage());
  const notice = texts.alone["not-found"];
  return (
    <NoticePage
      title={texts.title(notice.heading, aspspProfile.name)}
      bankName={aspspProfile.name}
      place={texts.frame.place}
      {...notice}
    />
  );
}
