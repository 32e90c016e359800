import { loadPasskeys } from "@/lib/psu/page-loaders";
import { PASSKEYS } from "@/lib/psu/paths";
import { ownChannel } from "../own-channel-page";
import { PasskeyList } from "./passkeys";

export const dynamic = "force-dynamic";

export default async function PasskeysPage() {
  return ownChannel(PASSKEYS, loadPasskeys(), (texts, view) => (
    <PasskeyList texts={texts} view={view} />
  ));
}
