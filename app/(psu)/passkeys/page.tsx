import { arriveAtPasskeys } from "@/lib/psu/own-channel/arrive-at-passkeys";
import { PASSKEYS } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel/own-fault";
import { PasskeyList } from "./passkey-list";

export const dynamic = "force-dynamic";

export default async function PasskeysPage() {
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtPasskeys();
  if (view.page === "fault") return <OwnFault texts={texts} path={PASSKEYS} />;
  return <PasskeyList texts={texts} view={view} />;
}
