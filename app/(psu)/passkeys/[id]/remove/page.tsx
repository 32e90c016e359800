import { arriveAtRemovePasskey } from "@/lib/psu/own-channel/arrive-at-passkeys";
import { PASSKEYS } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../own-channel/own-fault";
import { RemoveQuestion } from "../../remove-question";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function RemovePasskeyPage({ params }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtRemovePasskey((await params).id);
  if (view.page === "fault") return <OwnFault texts={texts} path={PASSKEYS} />;
  return <RemoveQuestion texts={texts} view={view} />;
}
