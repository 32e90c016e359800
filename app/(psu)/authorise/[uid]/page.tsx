import { redirect } from "next/navigation";
import { languageOf, loadAuthorisationOnce, viewFor } from "@/lib/psu/page-loaders";
import { pageProfile } from "@/lib/psu/page-services";
import { pagePath, providerPath } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { AuthorisationPage } from "../authorisation-page";

export const dynamic = "force-dynamic";

type Props = {
  readonly params: Promise<{ readonly uid: string }>;
  readonly searchParams: Promise<{ readonly question?: string | string[] }>;
};

export default async function Page({ params, searchParams }: Props) {
  const { uid } = await params;
  const { question } = await searchParams;
  const arrival = await loadAuthorisationOnce(uid);
  const view = await viewFor(arrival, question);
  if (view.page === "continue") redirect(view.location);
  // Nothing has to be said first.
  if (view.page === "login" && view.byProvider && view.outcome === undefined) {
    redirect(providerPath(uid));
  }
  return (
    <AuthorisationPage
      texts={textsFor(await languageOf(arrival))}
      bankName={pageProfile().name}
      path={pagePath(uid)}
      view={view}
    />
  );
}
