import { listAccounts } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAccountData } from "@/lib/xs2a/refusals";
import { accessOf, accountDataCall } from "@/lib/xs2a/resource-calls";
import { accountsQuery, accountsRead } from "@/lib/xs2a/wire/accounts";
import { served } from "@/lib/xs2a/wire/common";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccounts",
    summary: "List the accounts of a consent",
    ...accountDataCall,
    query: accountsQuery,
    refuses: ofAccountData,
    handle: ({ query, ...call }, ports) =>
      accessOf(call, ports).then((access) => listAccounts(ports, access, query)),
    reply: served(accountsRead),
  }),
});
