import { redirect } from "next/navigation";
import { arriveAtSignIn } from "@/lib/psu/own-channel/arrival";
import { signInPath } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { OwnFault } from "../own-channel/own-fault";
import { CodeQuestion } from "./code-question";
import { PasswordQuestion } from "./password-question";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly to?: string | string[] }> };

/** One address for both elements: the question that is open now. */
export default async function SignInPage({ searchParams }: Props) {
  const { to } = await searchParams;
  const texts = textsFor(await pageLanguage());
  const view = await arriveAtSignIn(to);
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
