import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm } from "@/components/form";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { loadSignOut } from "@/lib/psu/page-loaders";
import { HOME, signInPath } from "@/lib/psu/paths";
import { ownChannel } from "../own-channel-page";
import { Alone } from "../psu-page";

export const dynamic = "force-dynamic";

const PATH = "/sign-out";

/** After signing out; before, it asks. */
export default async function SignOutPage() {
  return ownChannel(PATH, loadSignOut(), (texts, { token }) => {
    const { signIn } = texts;
    const common = { texts, bankName: aspspProfile.name, path: PATH };
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
