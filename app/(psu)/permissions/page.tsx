import { loadSignedIn } from "@/lib/psu/page-loaders";
import { HOME } from "@/lib/psu/paths";
import { permissionsView } from "@/lib/psu/permissions-view";
import { ownChannel } from "../own-channel-page";
import { PermissionList } from "./permissions";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<object> };

export default async function PermissionsPage({ searchParams }: Props) {
  const query = await searchParams;
  const loading = loadSignedIn(HOME, (visit) => permissionsView(visit, query));
  return ownChannel(HOME, loading, (texts, view) => <PermissionList texts={texts} view={view} />);
}
