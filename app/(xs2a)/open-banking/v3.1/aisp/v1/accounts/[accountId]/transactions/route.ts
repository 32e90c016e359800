import { readTransactions } from "@/lib/domain/account-access/read-transactions";
import { accessOf } from "@/lib/xs2a/access";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofTransactions } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accessHeaders } from "@/lib/xs2a/wire/headers";
import { accountPath, noBody } from "@/lib/xs2a/wire/path";
import { served } from "@/lib/xs2a/wire/served";
import { transactionsRead } from "@/lib/xs2a/wire/transactions";
import { transactionsQuery } from "@/lib/xs2a/wire/transactions-query";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransactions",
    summary: "Read an account's transactions",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    query: transactionsQuery,
    body: noBody,
    refuses: ofTransactions,
    handle: ({ path, query, ...call }, ports) =>
      readTransactions(ports, accessOf(call, ports), { resourceId: path.accountId, ...query }),
    reply: served(transactionsRead),
  }),
});
