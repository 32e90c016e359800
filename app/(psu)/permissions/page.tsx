import { aspspProfile } from "@/lib/domain/bank-profile";
import { pageLanguage } from "@/lib/psu/language";
import { loadPermissions } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel-page";
import { PermissionList } from "./permissions";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly page?: string | string[] }> };

export default async function PermissionsPage({ searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await loadPermissions((await searchParams).page);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <PermissionList texts={texts} profile={aspspProfile} view={view} />;
}
