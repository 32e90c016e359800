import { Actions, ButtonLink } from "@/components/button";
import { NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { languages } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";

/** Written at build time: it is shown when nothing can be asked any more. */
export const dynamic = "force-static";

/** Of the current address: after a form was sent, its page is there. */
const HERE = "";

/** In every language, since it cannot know the reader's. */
export default function UnavailablePage() {
  const { name, defaultLanguage } = aspspProfile;
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
