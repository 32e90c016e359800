import { Actions } from "@/components/actions";
import { ButtonLink } from "@/components/button";
import { Links } from "@/components/links";
import { Terms } from "@/components/terms";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { HOME } from "@/lib/psu/own-channel/paths";
import { permissionPath } from "@/lib/psu/own-channel/permission-path";
import type { PermissionView } from "@/lib/psu/own-channel/permissions-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { TppTerm } from "../authorise/questions/tpp-term";
import { OwnPage } from "../own-channel/own-page";
import { AccessHistory } from "./access-history";
import { PermissionTerms } from "./permission-terms";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly view: PermissionView;
};

/** All of one permission or payment, and the way to end it. */
export function PermissionDetails({ texts, profile, view }: Props) {
  const { permissions: words } = texts;
  const { permission, outcome } = view;
  const { kind, tpp } = permission;
  const id = kind === "payments" ? permission.payment.id : permission.consent.id;
  const path = permissionPath({ kind, id });
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={path}
      heading={words.one[kind](texts.quoted(tpp.name))}
      outcome={outcome}
      signedIn
    >
      <Terms>
        <TppTerm texts={texts} tpp={tpp} label={words.labels.tpp} />
      </Terms>
      <PermissionTerms texts={texts} profile={profile} permission={permission} />
      {view.mayBeRevoked && (
        <Actions>
          <ButtonLink href={`${path}/revoke`}>{words.revoke.begin}</ButtonLink>
        </Actions>
      )}
      {kind !== "payments" && (
        <AccessHistory texts={texts} profile={profile} view={view} path={path} />
      )}
      <Links>
        <a href={HOME}>{words.toList}</a>
      </Links>
    </OwnPage>
  );
}
