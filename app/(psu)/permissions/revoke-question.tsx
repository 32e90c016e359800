import { Actions } from "@/components/actions";
import { Button, ButtonLink } from "@/components/button";
import { Lead } from "@/components/lead";
import { PostForm } from "@/components/post-form";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { permissionPath } from "@/lib/psu/own-channel/permission-path";
import type { RevokeView } from "@/lib/psu/own-channel/permissions-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { OwnPage } from "../own-channel/own-page";
import { PermissionTerms } from "./permission-terms";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly view: RevokeView;
};

/** Is this what you want? Asked once. */
export function RevokeQuestion({ texts, profile, view }: Props) {
  const { revoke: words } = texts.permissions;
  const { permission, outcome, token } = view;
  if (permission.kind === "payments") return null;
  const { kind, consent, tpp } = permission;
  const path = permissionPath({ kind, id: consent.id });
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={`${path}/revoke`}
      heading={words.heading(texts.quoted(tpp.name))}
      outcome={outcome}
      signedIn
    >
      <Lead>{words.lead[kind](texts.quoted(tpp.name))}</Lead>
      <PermissionTerms texts={texts} profile={profile} permission={permission} />
      <PostForm action={`${path}/revoke/confirm`} token={token}>
        <Actions equal>
          <Button>{words.submit}</Button>
          <ButtonLink kind="counter" href={path}>
            {words.keep}
          </ButtonLink>
        </Actions>
      </PostForm>
    </OwnPage>
  );
}
