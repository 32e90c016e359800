import { readTransactions } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofTransactions } from "@/lib/xs2a/refusals";
import { accessOf } from "@/lib/xs2a/request-context";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accessHeaders, accountPath, served } from "@/lib/xs2a/wire/common";
import { transactionsQuery, transactionsRead } from "@/lib/xs2a/wire/transactions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransactions",
    summary: "Read an account's transactions",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    query: transactionsQuery,
    refuses: ofTransactions,
    handle: ({ path, query, ...call }, ports) =>
      readTransactions(ports, accessOf(call, ports), { resourceId: path.accountId, ...query }),
    reply: served(transactionsRead),
  }),
});
