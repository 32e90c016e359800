import { pageLanguage } from "@/lib/psu/language";
import { pageProfile } from "@/lib/psu/page-services";
import { endedPath, endedReason } from "@/lib/psu/pages";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../../psu-page";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly reason?: string | string[] }> };

/** Shown by the authorisation server when it cannot lead the browser back to a TPP. */
export default async function EndedPage({ searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
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
