import { Actions, ButtonLink } from "@/components/button";
import { pageLanguage } from "@/lib/psu/language";
import { leavingPath } from "@/lib/psu/leave";
import { departureOf } from "@/lib/psu/page-loaders";
import { pageProfile } from "@/lib/psu/page-services";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../../../psu-page";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly to: string }> };

/** The last page of an authorisation: leads to the TPP at once, and by a link where refreshing is switched off. */
export default async function LeavingPage({ params }: Props) {
  const { to } = await params;
  const departure = await departureOf(to);
  const texts = textsFor(await pageLanguage(departure?.uiLocales));
  const frame = { texts, bankName: pageProfile().name, path: leavingPath(to) };
  if (departure === undefined) return <Alone {...frame} notice={texts.alone.gone} />;
  const { location } = departure;
  const tpp = texts.quoted(departure.tppName);
  return (
    <Alone {...frame} notice={texts.leaving(tpp, departure.outcome)}>
      <meta httpEquiv="refresh" content={`0;url=${location}`} />
      <Actions>
        <ButtonLink href={location}>{texts.continueTo(tpp)}</ButtonLink>
      </Actions>
    </Alone>
  );
}
