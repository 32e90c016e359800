import type { AccountId } from "../identifiers";
import type { Ports } from "../ports";
import { admitAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Balance, BankAccount } from "./bank-account";
import { type Access, findGrantedAccount, type OpenAccount } from "./granted-account";

type AccessPorts = Pick<Ports, "accountSource" | "accessBudget" | "profile">;

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
  const what = balances ? "accounts-with-balances" : "accounts";
  const open = await openAccounts(ports, access);
  const [allowance, content] = await Promise.all([
    admitAccess(ports, access, { resource: "accounts", what }),
    withBalance ? addBalances(ports, open, access.now) : open,
  ]);
  return { content, allowance };
}

/** One account of the consent. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readAccount(
  ports: AccessPorts,
  access: Access,
  { resourceId, withBalance }: { readonly resourceId: string; readonly withBalance: boolean },
): Promise<Served<AccountView>> {
  const open = await findGrantedAccount(ports, access, resourceId);
  const balances = withBalance && showsBalances(open);
  const [allowance, [view]] = await Promise.all([
    admitAccess(ports, access, {
      resource: `account:${resourceId}`,
      what: balances ? "account-details-with-balances" : "account-details",
      accountId: open.account.id,
    }),
    withBalance ? addBalances(ports, [open], access.now) : [open],
  ]);
  return { content: view ?? open, allowance };
}

async function addBalances(
  { accountSource }: Pick<Ports, "accountSource">,
  accounts: readonly OpenAccount[],
  now: Date,
): Promise<readonly AccountView[]> {
  const readable = accounts.filter(showsBalances).map(({ account }) => account.id);
  const balances = await accountSource.balances(readable, now);
  return accounts.map((open) => {
    const own = showsBalances(open) ? balances.get(open.account.id) : undefined;
    return { account: open.account, granted: open.granted, balances: own };
  });
}

function showsBalances({ granted, account }: OpenAccount): boolean {
  return granted.rights.balances && account.status === "enabled";
}

/** In the order in which they were granted; one that has been closed since is left out. */
async function openAccounts(
  { accountSource }: Pick<Ports, "accountSource">,
  { consent: { grantedAccounts }, accounts }: Access,
): Promise<readonly OpenAccount[]> {
  const found =
    accounts ?? (await accountSource.accounts(grantedAccounts.map(({ accountId }) => accountId)));
  const byId = new Map<AccountId, BankAccount>();
  for (const account of found) if (account.status !== "deleted") byId.set(account.id, account);
  const open: OpenAccount[] = [];
  for (const granted of grantedAccounts) {
    const account = byId.get(granted.accountId);
    if (account !== undefined) open.push({ account, granted });
  }
  return open;
}
