import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { endedPath, endedReason } from "@/lib/psu/ended-reason";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../alone";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly reason?: string | string[] }> };

/** Shown by the authorisation server when there is nobody it could lead the browser back to. */
export default async function EndedPage({ searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
  const reason = endedReason((await searchParams).reason);
  return (
    <Alone
      texts={texts}
      bankName={aspspProfile.name}
      path={endedPath(reason)}
      notice={texts.alone[reason]}
    />
  );
}
