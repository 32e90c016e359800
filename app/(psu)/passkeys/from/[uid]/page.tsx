import { loadPasskeys } from "@/lib/psu/page-loaders";
import { passkeysPath } from "@/lib/psu/paths";
import { ownChannel } from "../../../own-channel-page";
import { PasskeyList } from "../../passkeys";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly uid: string }> };

/** For a PSU who cannot confirm without a passkey, with the way back to what waits. */
export default async function PasskeysFromRequestPage({ params }: Props) {
  const { uid } = await params;
  return ownChannel(passkeysPath(uid), loadPasskeys(uid), (texts, view) => (
    <PasskeyList texts={texts} view={view} />
  ));
}
