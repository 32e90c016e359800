import { loadRemovePasskey } from "@/lib/psu/page-loaders";
import { PASSKEYS } from "@/lib/psu/paths";
import { ownChannel } from "../../../own-channel-page";
import { RemoveQuestion } from "../../passkeys";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function RemovePasskeyPage({ params }: Props) {
  const loading = loadRemovePasskey((await params).id);
  return ownChannel(PASSKEYS, loading, (texts, view) => (
    <RemoveQuestion texts={texts} view={view} />
  ));
}
