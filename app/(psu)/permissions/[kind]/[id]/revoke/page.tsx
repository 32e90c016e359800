import { aspspProfile } from "@/lib/domain/bank-profile";
import { pageLanguage } from "@/lib/psu/language";
import { loadRevocation } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../../own-channel-page";
import { RevokeQuestion } from "../../../permissions";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly kind: string; readonly id: string }> };

export default async function RevokePage({ params }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await loadRevocation(await params);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <RevokeQuestion texts={texts} profile={aspspProfile} view={view} />;
}
