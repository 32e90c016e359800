import { refusalsView } from "@/lib/psu/opt-outs";
import { loadSignedIn } from "@/lib/psu/page-loaders";
import { REFUSALS } from "@/lib/psu/paths";
import { ownChannel } from "../../own-channel-page";
import { Refusals } from "./refusals";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<object> };

export default async function RefusalsPage({ searchParams }: Props) {
  const query = await searchParams;
  const loading = loadSignedIn(REFUSALS, (visit) => refusalsView(visit, query));
  return ownChannel(REFUSALS, loading, (texts, view) => <Refusals texts={texts} view={view} />);
}
