import type { GrantedAccount } from "../consent/account-consent";
import type { Ports } from "../ports";
import { admitAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Balance } from "./bank-account";
import { type Access, findGrantedAccount, type OpenAccount } from "./granted-account";

type AccessPorts = Pick<Ports, "accountSource" | "accessBudget" | "profile">;

/** `balances` is there when it was asked for, is granted and the account is not blocked. */
export type AccountView = OpenAccount & { readonly balances?: readonly Balance[] };

/** Every account of the consent that is still there, in the order the PSU's bank shows them. */
export async function listAccounts(
  ports: AccessPorts,
  access: Access,
  { withBalance }: { readonly withBalance: boolean },
): Promise<Served<readonly AccountView[]>> {
  const { grantedAccounts } = access.consent;
  const balances = withBalance && grantedAccounts.some(({ rights }) => rights.balances);
  const what = balances ? "accounts-with-balances" : "accounts";
  const allowance = await admitAccess(ports, access, { resource: "accounts", what });
  const found = await ports.accountSource.accounts(
    grantedAccounts.map((granted) => granted.accountId),
  );
  const open = found
    .filter((account) => account.status !== "deleted")
    .map((account) => ({ account, granted: grantOf(grantedAccounts, account.id) }));
  const content = withBalance ? await addBalances(ports, open, access.now) : open;
  return { content, allowance };
}

/** One account of the consent. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readAccount(
  ports: AccessPorts,
  access: Access,
  { resourceId, withBalance }: { readonly resourceId: string; readonly withBalance: boolean },
): Promise<Served<AccountView>> {
  const open = await findGrantedAccount(ports, access.consent, resourceId);
  const balances = withBalance && showsBalances(open);
  const allowance = await admitAccess(ports, access, {
    resource: `account:${resourceId}`,
    what: balances ? "account-details-with-balances" : "account-details",
    accountId: open.account.id,
  });
  const [view] = withBalance ? await addBalances(ports, [open], access.now) : [open];
  return { content: view ?? open, allowance };
}

async function addBalances(
  { accountSource }: Pick<Ports, "accountSource">,
  accounts: readonly OpenAccount[],
  now: Date,
): Promise<readonly AccountView[]> {
  const readable = accounts.filter(showsBalances);
  const balances = await accountSource.balances(
    readable.map(({ account }) => account.id),
    now,
  );
  return accounts.map((open) => {
    const own = readable.includes(open) ? balances.get(open.account.id) : undefined;
    return own === undefined ? open : { ...open, balances: own };
  });
}

function showsBalances({ granted, account }: OpenAccount): boolean {
  return granted.rights.balances && account.status === "enabled";
}

function grantOf(granted: readonly GrantedAccount[], accountId: string): GrantedAccount {
  const found = granted.find((account) => account.accountId === accountId);
  if (found === undefined)
    throw new Error("the core bank answered with an account nobody asked for");
  return found;
}
