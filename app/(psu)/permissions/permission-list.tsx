import { Detail } from "@/components/detail";
import { Group } from "@/components/group";
import { Lead } from "@/components/lead";
import { Links } from "@/components/links";
import { Part } from "@/components/part";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { HOME, PASSKEYS } from "@/lib/psu/own-channel/paths";
import type { OfTpp, PermissionsView } from "@/lib/psu/own-channel/permissions-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { OwnPage } from "../own-channel/own-page";
import { PermissionEntry } from "./permission-entry";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly view: PermissionsView;
};

/** Who may do what, and who could: in force first, by TPP. */
export function PermissionList({ texts, profile, view }: Props) {
  const { permissions: words } = texts;
  const { number, more, inForce, past } = view;
  const shared = { texts, profile };
  const path = number === 1 ? HOME : `${HOME}?page=${number}`;
  return (
    <OwnPage texts={texts} frame={view} path={path} heading={words.heading} signedIn>
      <Lead>{words.lead}</Lead>
      {(number === 1 || inForce.length > 0) && (
        <Section {...shared} id="in-force" heading={words.inForce} groups={inForce}>
          {words.noneInForce}
        </Section>
      )}
      {(number === 1 || past.length > 0) && (
        <Section {...shared} id="past" heading={words.past} groups={past}>
          {words.nonePast}
        </Section>
      )}
      {(number > 1 || more) && (
        <Links>
          {number > 1 && <a href={`${HOME}?page=${number - 1}`}>{words.newer}</a>}{" "}
          {more && <a href={`${HOME}?page=${number + 1}`}>{words.older}</a>}
        </Links>
      )}
      <Links>
        <a href={`${HOME}/permissions.csv`}>{words.download}</a>
        <a href={PASSKEYS}>{texts.passkeys.heading}</a>
      </Links>
    </OwnPage>
  );
}

type SectionProps = Pick<Props, "texts" | "profile"> & {
  readonly id: string;
  readonly heading: string;
  readonly groups: readonly OfTpp[];
  /** Said where there is nothing. */
  readonly children: string;
};

function Section({ texts, profile, id, heading, groups, children }: SectionProps) {
  return (
    <Part id={id} heading={heading}>
      {groups.length === 0 && <p>{children}</p>}
      {groups.map(({ tpp, permissions }) => (
        <Group key={tpp.id} id={`${id}-${tpp.id}`} heading={<bdi>{texts.quoted(tpp.name)}</bdi>}>
          <p>
            <Detail>{texts.tpp.registration(tpp.id)}</Detail>
            <Detail>{texts.tpp.authority(tpp.authorityName, tpp.authorityId)}</Detail>
          </p>
          {permissions.map((permission) => (
            <PermissionEntry
              key={`${permission.kind} ${permission.requestedAt.getTime()} ${idOf(permission)}`}
              texts={texts}
              profile={profile}
              permission={permission}
            />
          ))}
        </Group>
      ))}
    </Part>
  );
}

function idOf(permission: OfTpp["permissions"][number]): string {
  return permission.kind === "payments" ? permission.payment.id : permission.consent.id;
}
