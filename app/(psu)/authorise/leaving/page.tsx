import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { departureOf } from "@/lib/psu/arrival";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../alone";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly to?: string | string[] }> };

/** The last page of an authorisation: on to the TPP at once, and by a link where that is switched off. */
export default async function LeavingPage({ searchParams }: Props) {
  const texts = textsFor();
  const departure = await departureOf((await searchParams).to);
  if (departure === undefined) {
    return <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone.gone} />;
  }
  const { location, tppName } = departure;
  return (
    <Alone texts={texts} bankName={aspspProfile.name} notice={texts.leaving(tppName)}>
      <meta httpEquiv="refresh" content={`0;url=${location}`} />
      <p>
        <a className="button" href={location}>
          {texts.continueTo(tppName)}
        </a>
      </p>
    </Alone>
  );
}
