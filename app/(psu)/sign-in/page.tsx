import { redirect } from "next/navigation";
import { pageLanguage } from "@/lib/psu/language";
import { loadSignIn } from "@/lib/psu/page-loaders";
import { signInPath } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel-page";
import { CodeQuestion, PasswordQuestion } from "./sign-in-questions";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly to?: string | string[] }> };

/** One address for both elements: the question that is open now. */
export default async function SignInPage({ searchParams }: Props) {
  const { to } = await searchParams;
  const texts = textsFor(await pageLanguage());
  const view = await loadSignIn(to);
  switch (view.page) {
    case "onward":
      return redirect(view.location);
    case "fault":
      return <OwnFault texts={texts} path={signInPath(to)} />;
    case "code":
      return <CodeQuestion texts={texts} view={view} />;
    default:
      return <PasswordQuestion texts={texts} view={view} />;
  }
}
