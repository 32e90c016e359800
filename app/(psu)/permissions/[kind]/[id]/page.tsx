import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { arriveAtPermission } from "@/lib/psu/own-channel/arrival";
import { HOME } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../../../own-channel/own-fault";
import { PermissionDetails } from "../../permission-details";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly kind: string; readonly id: string }>;
  readonly searchParams: Promise<{ readonly after?: string | string[] }>;
};

export default async function PermissionPage({ params, searchParams }: Props) {
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtPermission(await params, (await searchParams).after);
  if (view.page === "fault") return <OwnFault texts={texts} path={HOME} />;
  return <PermissionDetails texts={texts} profile={aspspProfile} view={view} />;
}
