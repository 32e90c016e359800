import { Actions, ButtonLink } from "@/components/button";
import { NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { bankProfile } from "@/lib/profile/in-force";
import { textsFor } from "@/lib/psu/texts/texts-for";

/** The browser host keeps it for when nothing else can be asked any more; it is made without services. */
export const dynamic = "force-dynamic";

/** Of the current address: after a form was sent, its page is there. */
const HERE = "";

/** In every language, since it cannot know the reader's. */
export default function UnavailablePage() {
  const { name, defaultLanguage, languages } = bankProfile();
  const { title, frame, alone, tryAgain } = textsFor(defaultLanguage);
  const others = languages.filter((language) => language !== defaultLanguage).map(textsFor);
  return (
    <NoticePage
      title={title(alone.unavailable.heading, name)}
      bankName={name}
      place={frame.place}
      {...alone.unavailable}
    >
      <Actions>
        <ButtonLink href={HERE}>{tryAgain}</ButtonLink>
      </Actions>
      {others.map((other) => (
        <div key={other.lang} lang={other.lang}>
          <h2>{other.alone.unavailable.heading}</h2>
          <Lead>{other.alone.unavailable.lead}</Lead>
          <Actions>
            <ButtonLink href={HERE}>{other.tryAgain}</ButtonLink>
          </Actions>
        </div>
      ))}
    </NoticePage>
  );
}
