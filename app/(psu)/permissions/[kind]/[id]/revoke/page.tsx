import { loadRevocation } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { ownChannel } from "../../../../own-channel-page";
import { RevokeQuestion } from "../../../permissions";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly kind: string; readonly id: string }> };

export default async function RevokePage({ params }: Props) {
  const loading = loadRevocation(await params);
  return ownChannel(HOME, loading, (texts, view) => <RevokeQuestion texts={texts} view={view} />);
}
