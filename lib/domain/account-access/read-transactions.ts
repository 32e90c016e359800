import { isUuid } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import { admitAccess, continueAccess } from "./admit-access";
import type { Served } from "./allowance";
import type { Transaction } from "./bank-account";
import { type Access, checkRight, findGrantedAccount, type OpenAccount } from "./granted-account";
import { checkHistory } from "./history";
import type { PageSentBefore } from "./kept-pages";
import { readPage } from "./read-page";
import { shown, type TransactionsAsked, type TransactionsPage } from "./transactions-page";

type AccessPorts = Pick<Ports, "accountSource" | "accessBudget" | "keptPages" | "profile">;

/** One page of an account's report, newest first. Following pages are the same access: they do not count. */
export async function readTransactions(
  ports: AccessPorts,
  access: Access,
  asked: TransactionsAsked,
): Promise<Served<TransactionsPage | PageSentBefore>> {
  const open = await findGrantedAccount(ports, access, asked.resourceId);
  checkRight(open, "transactions");
  if (asked.reportOf !== undefined && asked.reportOf !== asked.resourceId) {
    throw reject("FORMAT_ERROR", "the cursor belongs to another account", { path: "cursor" });
  }
  const { dateFrom, after } = asked;
  if (shown[asked.bookingStatus].statuses.length > 0 && dateFrom !== undefined) {
    checkHistory(ports.profile, access.consent, dateFrom, access.now, "dateFrom");
  }
  const admit = after === undefined ? admitAccess : continueAccess;
  const accountId = open.account.id;
  const resource = `transactions:${asked.resourceId}`;
  const [allowance, content] = await Promise.all([
    admit(ports, access, { resource, what: "transactions", accountId }),
    readPage(ports, { access, open, asked }),
  ]);
  return { content, allowance };
}

export type TransactionView = OpenAccount & { readonly transaction: Transaction };

export const TRANSACTION_UNKNOWN = "this transaction is not known";

/** One entry of the account; the ninety days hold here too. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readTransaction(
  ports: AccessPorts,
  access: Access,
  asked: { readonly resourceId: string; readonly transactionId: Transaction["id"] },
): Promise<Served<TransactionView>> {
  const open = await findGrantedAccount(ports, access, asked.resourceId);
  checkRight(open, "transactions");
  const transaction = isUuid(asked.transactionId)
    ? await ports.accountSource.transaction(open.account.id, asked.transactionId)
    : undefined;
  if (transaction === undefined) throw reject("RESOURCE_UNKNOWN", TRANSACTION_UNKNOWN);
  checkHistory(ports.profile, access.consent, transaction.day, access.now);
  const allowance = await admitAccess(ports, access, {
    resource: `transaction:${asked.resourceId}:${asked.transactionId}`,
    what: "transaction",
    accountId: open.account.id,
  });
  return { content: { ...open, transaction }, allowance };
}
