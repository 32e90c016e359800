import { GroupItem } from "@/components/group";
import { Links } from "@/components/links";
import { Unseen } from "@/components/unseen";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { Permission } from "@/lib/domain/permissions/permission";
import { permissionPath } from "@/lib/psu/own-channel/permission-path";
import type { Texts } from "@/lib/psu/texts/texts";
import { PermissionTerms } from "./permission-terms";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly permission: Permission;
};

/** One of the list: all of it in short, and the way to the rest. */
export function PermissionEntry({ texts, profile, permission }: Props) {
  const { permissions: words } = texts;
  const { kind, tpp } = permission;
  const id = kind === "payments" ? permission.payment.id : permission.consent.id;
  return (
    <GroupItem id={id} heading={words.kinds[kind]}>
      <PermissionTerms texts={texts} profile={profile} permission={permission} />
      <Links>
        <a href={permissionPath({ kind, id })}>
          {words.details}
          <Unseen>: {words.one[kind](texts.quoted(tpp.name))}</Unseen>
        </a>
      </Links>
    </GroupItem>
  );
}
