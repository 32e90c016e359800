import { aspspProfile } from "@/lib/domain/bank-profile";
import { pageLanguage } from "@/lib/psu/language";
import { loadPermission } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../own-channel-page";
import { PermissionDetails } from "../../permissions";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly kind: string; readonly id: string }>;
  readonly searchParams: Promise<{ readonly after?: string | string[] }>;
};

export default async function PermissionPage({ params, searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await loadPermission(await params, (await searchParams).after);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <PermissionDetails texts={texts} profile={aspspProfile} view={view} />;
}
