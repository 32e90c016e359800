import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { arriveAtPermissions } from "@/lib/psu/own-channel/arrival";
import { HOME } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel/own-fault";
import { PermissionList } from "./permission-list";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly page?: string | string[] }> };

export default async function PermissionsPage({ searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtPermissions((await searchParams).page);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <PermissionList texts={texts} profile={aspspProfile} view={view} />;
}
