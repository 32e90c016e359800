import { Actions } from "@/components/actions";
import { ButtonLink } from "@/components/button";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { departureOf } from "@/lib/psu/arrival";
import { leavingPath } from "@/lib/psu/departure";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../../alone";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly to: string }> };

/** The last page of an authorisation: on to the TPP at once, and by a link where that is switched off. */
export default async function LeavingPage({ params }: Props) {
  const { to } = await params;
  const departure = await departureOf(to);
  const texts = textsFor(await pageLanguage(departure?.uiLocales));
  const frame = { texts, bankName: aspspProfile.name, path: leavingPath(to) };
  if (departure === undefined) return <Alone {...frame} notice={texts.alone.gone} />;
  const { location } = departure;
  const tpp = texts.quoted(departure.tppName);
  return (
    <Alone {...frame} notice={texts.leaving(tpp)}>
      <meta httpEquiv="refresh" content={`0;url=${location}`} />
      <Actions>
        <ButtonLink href={location}>{texts.continueTo(tpp)}</ButtonLink>
      </Actions>
    </Alone>
  );
}
