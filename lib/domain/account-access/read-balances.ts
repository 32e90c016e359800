import type { Ports } from "../ports";
import { admitAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Balance } from "./bank-account";
import {
  type Access,
  checkRight,
  checkUnblocked,
  findGrantedAccount,
  type OpenAccount,
  openAccount,
} from "./granted-account";

export type BalancesView = OpenAccount & { readonly balances: readonly Balance[] };

/** The balances of one account, when the PSU granted them. */
export async function readBalances(
  ports: Pick<Ports, "coreBank" | "accessBudget" | "profile">,
  access: Access,
  resourceId: string,
): Promise<Served<BalancesView>> {
  const granted = findGrantedAccount(access, resourceId);
  checkRight(granted, "balances");
  const { accountId } = granted;
  const [known] = await ports.coreBank.balances([accountId], access.now);
  const content = openAccount(granted, known);
  checkUnblocked(content);
  const resource = `balances:${resourceId}`;
  const allowance = await admitAccess(ports, access, { resource, what: "balances", accountId });
  return { content, allowance };
}
