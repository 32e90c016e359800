import { pageLanguage } from "@/lib/psu/language";
import { pageProfile } from "@/lib/psu/page-services";
import { endedPath, endedReason } from "@/lib/psu/pages";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../../../psu-page";

export const dynamic = "force-dynamic";

type Props = {
  /** The tags of the request's `ui_locales`: a layout knows nothing of a query. */
  readonly params: Promise<{ readonly locales?: string[] }>;
  readonly searchParams: Promise<{ readonly reason?: string | string[] }>;
};

/** Shown by the authorisation server when it cannot lead the browser back to a TPP. */
export default async function EndedPage({ params, searchParams }: Props) {
  const { locales } = await params;
  const texts = textsFor(await pageLanguage(locales?.join(" ")));
  const reason = endedReason((await searchParams).reason);
  return (
    <Alone
      texts={texts}
      bankName={pageProfile().name}
      path={endedPath(reason)}
      notice={texts.alone[reason]}
    />
  );
}
