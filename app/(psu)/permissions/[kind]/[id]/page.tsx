import { loadPermission } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { ownChannel } from "../../../own-channel-page";
import { PermissionDetails } from "../../permissions";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly kind: string; readonly id: string }>;
  readonly searchParams: Promise<{ readonly after?: string | string[] }>;
};

export default async function PermissionPage({ params, searchParams }: Props) {
  const loading = loadPermission(await params, (await searchParams).after);
  return ownChannel(HOME, loading, (texts, view) => (
    <PermissionDetails texts={texts} view={view} />
  ));
}
