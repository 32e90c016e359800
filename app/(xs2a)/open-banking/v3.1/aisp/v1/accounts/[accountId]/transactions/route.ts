import { readTransactions } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofTransactions } from "@/lib/xs2a/refusals";
import { accessOf, accountDataCall } from "@/lib/xs2a/resource-calls";
import { accountPath, served } from "@/lib/xs2a/wire/common";
import { transactionsQuery, transactionsRead } from "@/lib/xs2a/wire/transactions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransactions",
    summary: "Read an account's transactions",
    ...accountDataCall,
    path: accountPath,
    query: transactionsQuery,
    refuses: ofTransactions,
    handle: ({ path, query, ...call }, ports) =>
      accessOf(call, ports).then((access) =>
        readTransactions(ports, access, {
          resourceId: path.accountId,
          ...query,
        }),
      ),
    reply: served(transactionsRead),
  }),
});
