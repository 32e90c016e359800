import { Actions } from "@/components/actions";
import { Button, ButtonLink } from "@/components/button";
import { Lead } from "@/components/lead";
import { PostForm } from "@/components/post-form";
import { type RemovePasskeyView, removePath } from "@/lib/psu/own-channel/passkeys-view";
import { PASSKEYS } from "@/lib/psu/own-channel/paths";
import type { Texts } from "@/lib/psu/texts/texts";
import { OwnPage } from "../own-channel/own-page";

type Props = { readonly texts: Texts; readonly view: RemovePasskeyView };

/** Is this what you want? Asked once. */
export function RemoveQuestion({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const path = removePath(view.passkey);
  const { heading, lead } = words.removing(view.passkey.name);
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={path}
      heading={heading}
      outcome={view.outcome}
      signedIn
    >
      <Lead>{lead}</Lead>
      <PostForm action={`${path}/confirm`} token={view.token}>
        <Actions equal>
          <Button>{words.removeSubmit}</Button>
          <ButtonLink kind="counter" href={PASSKEYS}>
            {words.keep}
          </ButtonLink>
        </Actions>
      </PostForm>
    </OwnPage>
  );
}
