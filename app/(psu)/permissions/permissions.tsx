import type { ReactNode } from "react";
import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm, SearchForm, SelectField, TextField } from "@/components/form";
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
  Summary,
  Term,
  Terms,
  Unseen,
} from "@/components/text";
import { type HistoryLine, type Permission, permissionKinds } from "@/lib/domain/permissions";
import { HOME, listPath, PASSKEYS, permissionPath, REFUSALS, refusalsPath } from "@/lib/psu/paths";
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

/** Who may do what, by TPP; or all of one TPP. */
export function PermissionList({ texts, view }: Props) {
  const { permissions: words } = texts;
  const { search, next, tpps, profile } = view;
  return (
    <OwnPage texts={texts} view={view} path={listPath(search)} heading={words.heading}>
      <Lead>{`${words.lead} ${words.pastShown(profile.ownChannel.pastShownDays)}`}</Lead>
      <Notices heading={words.notices.heading} notices={view.notices} />
      <Search texts={texts} search={search} />
      <Part id="found" heading={words.shown[search.state ?? "inForce"]}>
        {tpps.length === 0 && <p>{isSearch(search) ? words.nothingFound : words.noneInForce}</p>}
        {tpps.map((ofTpp) => (
          <PermissionsOfTpp key={ofTpp.tpp.id} {...{ texts, search, ofTpp, profile }} />
        ))}
      </Part>
      {(search.after ?? next) !== undefined && (
        <Links>
          {search.after !== undefined && (
            <a href={listPath({ ...search, after: undefined })}>{words.newest}</a>
          )}
          {next !== undefined && <a href={listPath({ ...search, after: next })}>{words.older}</a>}
        </Links>
      )}
      <Links>
        {search.tpp !== undefined && <a href={HOME}>{words.toList}</a>}
        <a href={REFUSALS}>{words.refusals.heading}</a>
        <a href={`${HOME}/permissions.csv`}>{words.download}</a>
        {profile.sca.means.includes("passkey") && <a href={PASSKEYS}>{texts.passkeys.heading}</a>}
      </Links>
    </OwnPage>
  );
}

type NoticesProps = { readonly heading: string; readonly notices: readonly string[] };

/** What the bank has to tell of providers. */
function Notices({ heading, notices }: NoticesProps) {
  if (notices.length === 0) return null;
  return (
    <Part id="notices" heading={heading}>
      <ul className="grid gap-2.5">
        {notices.map((notice) => (
          <li key={notice} className="wrap-anywhere">
            {notice}
          </li>
        ))}
      </ul>
    </Part>
  );
}

type Search = PermissionsView["search"];

function isSearch({ text, kind, state, tpp, after }: Search): boolean {
  return [text, kind, state, tpp, after].some((asked) => asked !== undefined);
}

function Search({ texts, search }: Pick<Props, "texts"> & { readonly search: Search }) {
  const { search: words, kinds, shown } = texts.permissions;
  const { text, kind, state, tpp } = search;
  return (
    <SearchForm action={HOME}>
      {tpp !== undefined && <input type="hidden" name="tpp" value={tpp} />}
      <TextField
        id="text"
        label={words.text}
        input={{ name: "text", type: "search", maxLength: 70, defaultValue: text }}
      />
      <SelectField
        id="kind"
        name="kind"
        label={words.kind}
        chosen={kind ?? "any"}
        options={[
          ["any", words.anyKind],
          ...permissionKinds.map((one) => [one, kinds[one]] as const),
        ]}
      />
      <SelectField
        id="state"
        name="state"
        label={words.state}
        chosen={state ?? "inForce"}
        options={[
          ["inForce", shown.inForce],
          ["past", shown.past],
          ["all", shown.all],
        ]}
      />
      <Actions>
        <Button kind="counter">{words.submit}</Button>
      </Actions>
    </SearchForm>
  );
}

type OfTppProps = Pick<Props, "texts"> &
  Pick<PermissionsView, "search" | "profile"> & { readonly ofTpp: OfTpp };

function PermissionsOfTpp({ texts, search, profile, ofTpp }: OfTppProps) {
  const { tpp, count, permissions } = ofTpp;
  const { permissions: words } = texts;
  const name = texts.quoted(tpp.name);
  return (
    <Group id={`found-${tpp.id}`} heading={<bdi>{name}</bdi>}>
      <p>
        <Detail>{texts.tpp.registration(tpp.id)}</Detail>
        <Detail>{texts.tpp.authority(tpp.authorityName, tpp.authorityId)}</Detail>
      </p>
      {permissions.map((permission) => (
        <PermissionEntry key={idOf(permission)} {...{ texts, profile, permission }} />
      ))}
      <Links>
        {count > permissions.length && (
          <a href={listPath({ ...search, tpp: tpp.id, after: undefined })}>
            {words.everyOf(name, count)}
          </a>
        )}
        <a href={refusalsPath(tpp.id)}>{words.refusals.begin(name)}</a>
      </Links>
    </Group>
  );
}

function idOf(permission: Permission): string {
  return permission.kind === "payments" ? permission.payment.id : permission.consent.id;
}

type PermissionEntryProps = Pick<PermissionsView, "profile"> & {
  readonly texts: Texts;
  readonly permission: Permission;
};

function PermissionEntry({ texts, profile, permission }: PermissionEntryProps) {
  const { permissions: words } = texts;
  const { labels } = words;
  const { kind, tpp } = permission;
  const id = idOf(permission);
  const { status, data, amount, payee, since, requested, until, ended, lastRead } = permissionFacts(
    { texts, profile },
    permission,
  );
  const what = kind === "payments" ? words.paying(`${amount}`, `${payee}`) : data;
  const accounts = permission.accounts.map(({ name, iban }) => name ?? iban).join(", ");
  const more = [
    [kind === "payments" ? labels.from : labels.accounts, accounts === "" ? undefined : accounts],
    [labels.since, since ?? requested],
    [labels.until, until],
    [labels.ended, ended],
    [labels.lastRead, lastRead],
  ].flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`]));
  return (
    <GroupItem id={id} heading={words.kinds[kind]}>
      <Summary strong={status} detail={more.join(" · ")}>
        <bdi>{what}</bdi>
      </Summary>
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
  const path = permissionPath({ kind, id: idOf(permission) });
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
      <PermissionTerms texts={texts} profile={view.profile} permission={permission} />
      {kind !== "payments" && permission.endedAt !== undefined && (
        <p>{words.endedForGood(texts.quoted(tpp.name))}</p>
      )}
      {view.mayBeRevoked && (
        <Actions>
          <ButtonLink href={`${path}/revoke`}>{words.revoke.begin}</ButtonLink>
        </Actions>
      )}
      {kind !== "payments" && <AccessHistory texts={texts} view={view} path={path} />}
      <Links>
        <a href={HOME}>{words.toList}</a>
        <a href={refusalsPath(tpp.id)}>{words.refusals.begin(texts.quoted(tpp.name))}</a>
      </Links>
    </OwnPage>
  );
}

/** What was allowed or ordered, and what has come of it. */
function PermissionTerms({ texts, profile, permission }: PermissionEntryProps) {
  const facts = permissionFacts({ texts, profile }, permission);
  const { labels } = texts.permissions;
  const payment = permission.kind === "payments";
  return (
    <Terms>
      <Term label={labels.status}>
        <strong>{facts.status}</strong>
      </Term>
      <Fact label={labels.purpose}>{facts.purpose}</Fact>
      <Fact label={labels.reason}>{facts.reason}</Fact>
      <Fact label={labels.amount}>{facts.amount}</Fact>
      <Fact label={labels.payee}>{facts.payee}</Fact>
      <Fact label={labels.message}>{facts.message}</Fact>
      <Fact label={labels.data}>{facts.data}</Fact>
      <Fact label={labels.card}>{facts.card}</Fact>
      <Term label={payment ? labels.from : labels.accounts}>
        <Accounts texts={texts} permission={permission} />
      </Term>
      {facts.since === undefined && <Fact label={labels.requested}>{facts.requested}</Fact>}
      <Fact label={labels.since}>{facts.since}</Fact>
      <Fact label={labels.until}>{facts.until}</Fact>
      <Fact label={labels.ended}>{facts.ended}</Fact>
      <Fact label={labels.howOften}>{facts.howOften}</Fact>
      <Fact label={labels.lastRead}>{facts.lastRead}</Fact>
      <Fact label={labels.registeredFor}>{facts.registeredFor}</Fact>
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
  const { retention, timeZone } = view.profile;
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
      <PermissionTerms texts={texts} profile={view.profile} permission={permission} />
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
