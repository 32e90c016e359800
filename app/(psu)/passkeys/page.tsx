import { pageLanguage } from "@/lib/psu/language";
import { loadPasskeys } from "@/lib/psu/page-loaders";
import { PASSKEYS } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel-page";
import { PasskeyList } from "./passkeys";

export const dynamic = "force-dynamic";

export default async function PasskeysPage() {
  const texts = textsFor(await pageLanguage());
  const view = await loadPasskeys();
  if (view.page === "fault") return <OwnFault texts={texts} path={PASSKEYS} />;
  return <PasskeyList texts={texts} view={view} />;
}
