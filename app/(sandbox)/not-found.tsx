import { NoticePage } from "@/components/notice-page";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { frontLanguage } from "./front-language";

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
