import type { ReactNode } from "react";
import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm } from "@/components/form";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import {
  AccountList,
  AccountText,
  Detail,
  Group,
  GroupItem,
  Lead,
  Links,
  Part,
  Term,
  Terms,
  Unseen,
} from "@/components/text";
import type { HistoryLine, Permission } from "@/lib/domain/permissions";
import { pageProfile } from "@/lib/psu/page-services";
import { HOME, PASSKEYS, permissionPath } from "@/lib/psu/paths";
import {
  type OfTpp,
  type PermissionsView,
  type PermissionView,
  permissionFacts,
  type RevokeView,
  rightsOf,
} from "@/lib/psu/permissions-view";
import type { Texts } from "@/lib/psu/texts/en";
import { OwnPage } from "../own-channel-page";
import { OnlyData, TppTerm } from "../psu-page";

type Props = {
  readonly texts: Texts;
  readonly view: PermissionsView;
};

/** Who may do what, and who could: in force first, by TPP. */
export function PermissionList({ texts, view }: Props) {
  const { permissions: words } = texts;
  const { after, next, inForce, past } = view;
  const path = after === undefined ? HOME : `${HOME}?after=${after}`;
  return (
    <OwnPage texts={texts} view={view} path={path} heading={words.heading}>
      <Lead>{words.lead}</Lead>
      {(after === undefined || inForce.length > 0) && (
        <Section texts={texts} id="in-force" heading={words.inForce} groups={inForce}>
          {words.noneInForce}
        </Section>
      )}
      {(after === undefined || past.length > 0) && (
        <Section texts={texts} id="past" heading={words.past} groups={past}>
          {words.nonePast}
        </Section>
      )}
      {(after !== undefined || next !== undefined) && (
        <Links>
          {after !== undefined && <a href={HOME}>{words.newer}</a>}{" "}
          {next !== undefined && <a href={`${HOME}?after=${next}`}>{words.older}</a>}
        </Links>
      )}
      <Links>
        <a href={`${HOME}/permissions.csv`}>{words.download}</a>
        <a href={PASSKEYS}>{texts.passkeys.heading}</a>
      </Links>
    </OwnPage>
  );
}

type SectionProps = Pick<Props, "texts"> & {
  readonly id: string;
  readonly heading: string;
  readonly groups: readonly OfTpp[];
  /** Said where there is nothing. */
  readonly children: string;
};

function Section({ texts, id, heading, groups, children }: SectionProps) {
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

type PermissionEntryProps = {
  readonly texts: Texts;
  readonly permission: Permission;
};

/** One of the list, with a link to its details. */
function PermissionEntry({ texts, permission }: PermissionEntryProps) {
  const { permissions: words } = texts;
  const { kind, tpp } = permission;
  const id = kind === "payments" ? permission.payment.id : permission.consent.id;
  return (
    <GroupItem id={id} heading={words.kinds[kind]}>
      <PermissionTerms texts={texts} permission={permission} />
      <Links>
        <a href={permissionPath({ kind, id })}>
          {words.details}
          <Unseen>: {words.one[kind](texts.quoted(tpp.name))}</Unseen>
        </a>
      </Links>
    </GroupItem>
  );
}

type PermissionDetailsProps = {
  readonly texts: Texts;
  readonly view: PermissionView;
};

/** All of one permission or payment, with a link to end it. */
export function PermissionDetails({ texts, view }: PermissionDetailsProps) {
  const { permissions: words } = texts;
  const { permission } = view;
  const { kind, tpp } = permission;
  const id = kind === "payments" ? permission.payment.id : permission.consent.id;
  const path = permissionPath({ kind, id });
  return (
    <OwnPage
      texts={texts}
      view={view}
      path={path}
      heading={words.one[kind](texts.quoted(tpp.name))}
    >
      <Terms>
        <TppTerm texts={texts} tpp={tpp} label={words.labels.tpp} />
      </Terms>
      <PermissionTerms texts={texts} permission={permission} />
      {view.mayBeRevoked && (
        <Actions>
          <ButtonLink href={`${path}/revoke`}>{words.revoke.begin}</ButtonLink>
        </Actions>
      )}
      {kind !== "payments" && <AccessHistory texts={texts} view={view} path={path} />}
      <Links>
        <a href={HOME}>{words.toList}</a>
      </Links>
    </OwnPage>
  );
}

/** What was allowed or ordered, and what has come of it. */
function PermissionTerms({ texts, permission }: PermissionEntryProps) {
  const facts = permissionFacts({ texts, profile: pageProfile() }, permission);
  const { labels } = texts.permissions;
  const payment = permission.kind === "payments";
  return (
    <Terms>
      <Term label={labels.status}>
        <strong>{facts.status}</strong>
      </Term>
      <Fact label={labels.amount}>{facts.amount}</Fact>
      <Fact label={labels.payee}>{facts.payee}</Fact>
      <Fact label={labels.message}>{facts.message}</Fact>
      <Fact label={labels.data}>{facts.data}</Fact>
      <Term label={payment ? labels.from : labels.accounts}>
        <Accounts texts={texts} permission={permission} />
      </Term>
      {facts.since === undefined && <Fact label={labels.requested}>{facts.requested}</Fact>}
      <Fact label={labels.since}>{facts.since}</Fact>
      <Fact label={labels.until}>{facts.until}</Fact>
      <Fact label={labels.ended}>{facts.ended}</Fact>
      <Fact label={labels.howOften}>{facts.howOften}</Fact>
      <Fact label={labels.lastRead}>{facts.lastRead}</Fact>
    </Terms>
  );
}

/** What others have written keeps its own direction of reading. */
function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <Term label={label}>
      <bdi>{children}</bdi>
    </Term>
  );
}

function Accounts({ texts, permission }: Pick<PermissionEntryProps, "texts" | "permission">) {
  const { accounts } = permission;
  if (accounts.length === 0) return texts.permissions.noAccounts;
  const all = permission.kind === "accounts" ? rightsOf(permission.consent) : undefined;
  return (
    <AccountList>
      {accounts.map((account) => (
        <li key={`${account.iban} ${account.currency}`}>
          <AccountText {...account} />
          {all !== undefined && account.rights !== undefined && (
            <OnlyData texts={texts} all={all} own={account.rights} />
          )}
        </li>
      ))}
    </AccountList>
  );
}

type AccessHistoryProps = {
  readonly texts: Texts;
  readonly view: PermissionView;
  readonly path: string;
};

/** When what was read, newest first. */
function AccessHistory({ texts, view, path }: AccessHistoryProps) {
  const { history: words, downloadHistory } = texts.permissions;
  const { lines, next } = view.history;
  const { retention, timeZone } = pageProfile();
  return (
    <Part id="history" heading={words.heading}>
      <p>{words.lead(retention.accessLogDays)}</p>
      {lines.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <HistoryTable texts={texts} timeZone={timeZone} lines={lines} />
      )}
      {(view.older || next !== undefined) && (
        <Links>
          {view.older && <a href={path}>{words.newest}</a>}{" "}
          {next !== undefined && <a href={`${path}?after=${next}`}>{words.older}</a>}
        </Links>
      )}
      <Links>
        <a href={`${path}/history.csv`}>{downloadHistory}</a>
      </Links>
    </Part>
  );
}

type TableProps = {
  readonly texts: Texts;
  readonly timeZone: string;
  readonly lines: readonly HistoryLine[];
};

function HistoryTable({ texts, timeZone, lines }: TableProps) {
  const { history: words } = texts.permissions;
  const columns = [words.when, words.what, words.account, words.how];
  return (
    <ReflowingTable labelledBy="history" columns={columns}>
      {lines.map(({ position, at, what, account, attended }) => (
        <ReflowingRow key={position}>
          <ReflowingCell label={words.when}>
            <time dateTime={at.toISOString()}>{texts.instant(at, timeZone)}</time>
          </ReflowingCell>
          <ReflowingCell label={words.what}>{words.reads[what]}</ReflowingCell>
          <ReflowingCell label={words.account}>
            {account === undefined ? words.everyAccount : <AccountText {...account} />}
          </ReflowingCell>
          <ReflowingCell label={words.how}>
            {attended ? words.attended : words.unattended}
          </ReflowingCell>
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}

type RevokeQuestionProps = {
  readonly texts: Texts;
  readonly view: RevokeView;
};

/** Is this what you want? Asked once. */
export function RevokeQuestion({ texts, view }: RevokeQuestionProps) {
  const { revoke: words } = texts.permissions;
  const { permission, token } = view;
  if (permission.kind === "payments") return null;
  const { kind, consent, tpp } = permission;
  const path = permissionPath({ kind, id: consent.id });
  return (
    <OwnPage
      texts={texts}
      view={view}
      path={`${path}/revoke`}
      heading={words.heading(texts.quoted(tpp.name))}
    >
      <Lead>{words.lead[kind](texts.quoted(tpp.name))}</Lead>
      <PermissionTerms texts={texts} permission={permission} />
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
