import { Actions } from "@/components/actions";
import { Button, ButtonLink } from "@/components/button";
import { PostForm } from "@/components/post-form";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { arriveAtSignOut } from "@/lib/psu/own-channel/arrival";
import { HOME, signInPath } from "@/lib/psu/own-channel/paths";
import { pageLanguage } from "@/lib/psu/page-language";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../authorise/alone";
import { OwnFault } from "../own-channel/own-fault";

export const dynamic = "force-dynamic";

const PATH = "/sign-out";

/** After signing out; who has not is asked. */
export default async function SignOutPage() {
  const texts = textsFor(await pageLanguage());
  const { signIn } = texts;
  const view = await arriveAtSignOut();
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
