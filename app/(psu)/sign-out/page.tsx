import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm } from "@/components/form";
import { loadSignOut } from "@/lib/psu/page-loaders";
import { pageProfile } from "@/lib/psu/page-services";
import { HOME, signInPath } from "@/lib/psu/paths";
import { ownChannel } from "../own-channel-page";
import { Alone } from "../psu-page";

export const dynamic = "force-dynamic";

const PATH = "/sign-out";

/** After signing out; before, it asks. */
export default async function SignOutPage() {
  return ownChannel(PATH, loadSignOut(), (texts, { token }) => {
    const { signIn } = texts;
    const common = { texts, bankName: pageProfile().name, path: PATH };
    return token === undefined ? (
      <Alone {...common} notice={signIn.signedOut}>
        <Actions>
          <ButtonLink href={signInPath(HOME)}>{signIn.signInAgain}</ButtonLink>
        </Actions>
      </Alone>
    ) : (
      <Alone {...common} notice={signIn.stillSignedIn}>
        <PostForm action="/sign-out/now" token={token}>
          <Actions>
            <Button>{signIn.signOut}</Button>
          </Actions>
        </PostForm>
      </Alone>
    );
  });
}
