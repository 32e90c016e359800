import { redirect } from "next/navigation";
import { loadOwnChannel } from "@/lib/psu/page-loaders";
import { providerSignInPath, signInPath } from "@/lib/psu/paths";
import { signInView } from "@/lib/psu/sign-in-view";
import { ownChannel } from "../own-channel-page";
import { CodeQuestion, PasswordQuestion } from "./sign-in-questions";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly to?: string | string[] }> };

/** One address for both elements: the question that is open now. */
export default async function SignInPage({ searchParams }: Props) {
  const { to } = await searchParams;
  const loading = loadOwnChannel((visit) => signInView(visit, to));
  return ownChannel(signInPath(to), loading, (texts, view) => {
    if (view.page === "onward") return redirect(view.location);
    // Nothing has to be said first.
    if (view.page === "sign-in" && view.byProvider && view.outcome === undefined) {
      return redirect(providerSignInPath(view.to));
    }
    return view.page === "code" ? (
      <CodeQuestion texts={texts} view={view} />
    ) : (
      <PasswordQuestion texts={texts} view={view} />
    );
  });
}
