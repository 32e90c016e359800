import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { PostForm } from "@/components/post-form";
import type { PasskeysView } from "@/lib/psu/own-channel/passkeys-view";
import { PASSKEYS } from "@/lib/psu/own-channel/paths";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly view: PasskeysView };

/** In place of the form when the sign-in is too long ago to add a passkey; it leads back here. */
export function SignInFirst({ texts, view }: Props) {
  const { passkeys: words, signIn } = texts;
  return (
    <>
      <p>{words.signInFirst(view.addPasskeyMinutes)}</p>
      <PostForm action="/sign-out/now" token={view.signOutToken}>
        <input type="hidden" name="to" value={PASSKEYS} />
        <Actions>
          <Button>{signIn.signInAgain}</Button>
        </Actions>
      </PostForm>
    </>
  );
}
