import type { ReactNode } from "react";
import { AccountList, AccountText } from "@/components/account-text";
import { Detail } from "@/components/detail";
import { Term, Terms } from "@/components/terms";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { Permission } from "@/lib/domain/permissions/permission";
import { permissionFacts, rightsOf } from "@/lib/psu/own-channel/permission-facts";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = {
  readonly texts: Texts;
  readonly profile: AspspProfile;
  readonly permission: Permission;
};

/** What was allowed or ordered, and what has come of it. */
export function PermissionTerms({ texts, profile, permission }: Props) {
  const facts = permissionFacts({ texts, profile }, permission);
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

function Accounts({ texts, permission }: Pick<Props, "texts" | "permission">) {
  const { accounts } = permission;
  if (accounts.length === 0) return texts.permissions.noAccounts;
  const all = permission.kind === "accounts" ? rightsOf(permission.consent) : undefined;
  return (
    <AccountList>
      {accounts.map((account) => (
        <li key={`${account.iban} ${account.currency}`}>
          <AccountText {...account} />
          <OnlyData texts={texts} all={all} own={account.rights} />
        </li>
      ))}
    </AccountList>
  );
}

type Rights = {
  readonly texts: Texts;
  readonly all: AccessRights | undefined;
  readonly own: AccessRights | undefined;
};

/** Where less may be read of this account than of another. */
function OnlyData({ texts, all, own }: Rights) {
  if (all === undefined || own === undefined) return null;
  const same =
    all.balances === own.balances &&
    all.transactions === own.transactions &&
    all.ownerName === own.ownerName;
  return same ? null : <Detail>{texts.summary.onlyData(own)}</Detail>;
}
