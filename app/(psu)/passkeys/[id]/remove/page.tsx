import { pageLanguage } from "@/lib/psu/language";
import { loadRemovePasskey } from "@/lib/psu/page-loaders";
import { PASSKEYS } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../own-channel-page";
import { RemoveQuestion } from "../../passkeys";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function RemovePasskeyPage({ params }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await loadRemovePasskey((await params).id);
  if (view.page === "fault") return <OwnFault texts={texts} path={PASSKEYS} />;
  return <RemoveQuestion texts={texts} view={view} />;
}
