import { AccountText } from "@/components/account-text";
import { Links } from "@/components/links";
import { Part } from "@/components/part";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/reflowing-table";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { HistoryLine } from "@/lib/domain/permissions/read-permissions";
import type { PermissionView } from "@/lib/psu/own-channel/permissions-view";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly view: PermissionView;
  readonly path: string;
};

/** When what was read, newest first. */
export function AccessHistory({ texts, profile, view, path }: Props) {
  const { history: words, downloadHistory } = texts.permissions;
  const { lines, next } = view.history;
  return (
    <Part id="history" heading={words.heading}>
      <p>{words.lead(profile.accessLogKeptDays)}</p>
      {lines.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <HistoryTable texts={texts} timeZone={profile.timeZone} lines={lines} />
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
  const { permissions } = texts;
  const { history: words } = permissions;
  const columns = [words.when, words.what, words.account, words.how];
  return (
    <ReflowingTable labelledBy="history" columns={columns}>
      {lines.map(({ position, at, what, account, attended }) => (
        <ReflowingRow key={position}>
          <ReflowingCell label={words.when}>
            <time dateTime={at.toISOString()}>{permissions.instant(at, timeZone)}</time>
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
