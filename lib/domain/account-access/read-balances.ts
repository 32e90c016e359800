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
  const open = await findGrantedAccount(ports, access.consent, resourceId);
  checkRight(open, "balances");
  const { id: accountId } = open.account;
  const resource = `balances:${resourceId}`;
  const allowance = await admitAccess(ports, access, { resource, what: "balances", accountId });
  const balances = await ports.accountSource.balances([open.account.id], access.now);
  const own = balances.get(open.account.id);
  if (own === undefined) throw new Error("the core bank has no balances for an account it has");
  return { content: { ...open, balances: own }, allowance };
}
