import { loadPermissions } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { ownChannel } from "../own-channel-page";
import { PermissionList } from "./permissions";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<object> };

export default async function PermissionsPage({ searchParams }: Props) {
  const loading = loadPermissions(await searchParams);
  return ownChannel(HOME, loading, (texts, view) => <PermissionList texts={texts} view={view} />);
}
