import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { arriveAtRevoke } from "@/lib/psu/own-channel/arrival";
import { HOME } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../../own-channel/own-fault";
import { RevokeQuestion } from "../../../revoke-question";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly kind: string; readonly id: string }> };

export default async function RevokePage({ params }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtRevoke(await params);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <RevokeQuestion texts={texts} profile={aspspProfile} view={view} />;
}
