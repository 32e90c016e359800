import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm } from "@/components/form";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { pageLanguage } from "@/lib/psu/language";
import { loadSignOut } from "@/lib/psu/page-loaders";
import { HOME, signInPath } from "@/lib/psu/paths";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../authorise/question";
import { OwnFault } from "../own-channel-page";

export const dynamic = "force-dynamic";

const PATH = "/sign-out";

/** After signing out; who has not is asked. */
export default async function SignOutPage() {
  const texts = textsFor(await pageLanguage());
  const { signIn } = texts;
  const view = await loadSignOut();
  if (view.page === "fault") return <OwnFault texts={texts} path={PATH} />;
  const common = { texts, bankName: aspspProfile.name, path: PATH };
  if (view.page === "signed-in") {
    return (
      <Alone {...common} notice={signIn.stillSignedIn}>
        <PostForm action="/sign-out/now" token={view.token}>
          <Actions>
            <Button>{signIn.signOut}</Button>
          </Actions>
        </PostForm>
      </Alone>
    );
  }
  return (
    <Alone {...common} notice={signIn.signedOut}>
      <Actions>
        <ButtonLink href={signInPath(HOME)}>{signIn.signInAgain}</ButtonLink>
      </Actions>
    </Alone>
  );
}
