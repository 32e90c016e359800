import { readAccount } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAccount } from "@/lib/xs2a/refusals";
import { accessOf, accountDataCall } from "@/lib/xs2a/resource-calls";
import { accountRead, accountsQuery } from "@/lib/xs2a/wire/accounts";
import { accountPath, served } from "@/lib/xs2a/wire/common";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccount",
    summary: "Read an account",
    ...accountDataCall,
    path: accountPath,
    query: accountsQuery,
    refuses: ofAccount,
    handle: ({ path, query, ...call }, ports) =>
      accessOf(call, ports).then((access) =>
        readAccount(ports, access, { resourceId: path.accountId, ...query }),
      ),
    reply: served(accountRead),
  }),
});
