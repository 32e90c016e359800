import type { GrantedAccount } from "../consent/account-consent";
import type { AccountWithBalances } from "../core-bank";
import type { Ports } from "../ports";
import { admitAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Balance } from "./bank-account";
import { type Access, findGrantedAccount, type OpenAccount, openAccount } from "./granted-account";

type AccessPorts = Pick<Ports, "coreBank" | "accessBudget" | "profile">;

/** `balances` is there when it was asked for, is granted and the account is not blocked. */
export type AccountView = OpenAccount & { readonly balances?: readonly Balance[] | undefined };

/** Every account of the consent that is still there, in the order the PSU's bank shows them. */
export async function listAccounts(
  ports: AccessPorts,
  access: Access,
  { withBalance }: { readonly withBalance: boolean },
): Promise<Served<readonly AccountView[]>> {
  const { grantedAccounts } = access.consent;
  const balances = withBalance && grantedAccounts.some(({ rights }) => rights.balances);
  const found = await lookUp(ports, { granted: grantedAccounts, balances, now: access.now });
  const byId = new Map(found.map((known) => [known.account.id, known]));
  const content = grantedAccounts.flatMap((granted) => {
    const known = byId.get(granted.accountId);
    return known === undefined || known.account.status === "deleted" ? [] : view(granted, known);
  });
  const what = balances ? "accounts-with-balances" : "accounts";
  const allowance = await admitAccess(ports, access, { resource: "accounts", what });
  return { content, allowance };
}

/** One account of the consent. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readAccount(
  ports: AccessPorts,
  access: Access,
  { resourceId, withBalance }: { readonly resourceId: string; readonly withBalance: boolean },
): Promise<Served<AccountView>> {
  const granted = findGrantedAccount(access, resourceId);
  const balances = withBalance && granted.rights.balances;
  const [known] = await lookUp(ports, { granted: [granted], balances, now: access.now });
  const content = view(granted, openAccount(granted, known));
  const allowance = await admitAccess(ports, access, {
    resource: `account:${resourceId}`,
    what: content.balances === undefined ? "account-details" : "account-details-with-balances",
    accountId: granted.accountId,
  });
  return { content, allowance };
}

type Wanted = {
  readonly granted: readonly GrantedAccount[];
  readonly balances: boolean;
  readonly now: Date;
};
type Known = Pick<AccountWithBalances, "account"> & Partial<AccountWithBalances>;

/** One call, with or without balances. */
async function lookUp(
  { coreBank }: Pick<Ports, "coreBank">,
  { granted, balances, now }: Wanted,
): Promise<readonly Known[]> {
  const ids = granted.map(({ accountId }) => accountId);
  if (balances) return coreBank.balances(ids, now);
  return (await coreBank.accounts(ids)).map((account) => ({ account }));
}

function view(granted: GrantedAccount, { account, balances }: Known): AccountView {
  const shows = granted.rights.balances && account.status === "enabled";
  return { account, granted, balances: shows ? balances : undefined };
}
