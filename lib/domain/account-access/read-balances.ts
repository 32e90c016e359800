import type { Ports } from "../ports";
import { admitAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Balance } from "./bank-account";
import { type Access, checkRight, findGrantedAccount, type OpenAccount } from "./granted-account";

export type BalancesView = OpenAccount & { readonly balances: readonly Balance[] };

/** The balances of one account, when the PSU granted them. */
export async function readBalances(
  ports: Pick<Ports, "accountSource" | "accessBudget" | "profile">,
  access: Access,
  resourceId: string,
): Promise<Served<BalancesView>> {
  const open = await findGrantedAccount(ports, access, resourceId);
  checkRight(open, "balances");
  const { id: accountId } = open.account;
  const resource = `balances:${resourceId}`;
  const [allowance, balances] = await Promise.all([
    admitAccess(ports, access, { resource, what: "balances", accountId }),
    ports.accountSource.balances([accountId], access.now),
  ]);
  const own = balances.get(accountId);
  if (own === undefined) throw new Error("the core bank has no balances for an account it has");
  return { content: { granted: open.granted, account: open.account, balances: own }, allowance };
}
