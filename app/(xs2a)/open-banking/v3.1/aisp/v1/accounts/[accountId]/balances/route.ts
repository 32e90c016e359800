import { readBalances } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAccount } from "@/lib/xs2a/refusals";
import { accessOf, accountDataCall } from "@/lib/xs2a/resource-calls";
import { balancesRead } from "@/lib/xs2a/wire/accounts";
import { accountPath, served } from "@/lib/xs2a/wire/common";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readBalances",
    summary: "Read an account's balances",
    ...accountDataCall,
    path: accountPath,
    refuses: ofAccount,
    handle: ({ path, ...call }, ports) =>
      accessOf(call, ports).then((access) => readBalances(ports, access, path.accountId)),
    reply: served(balancesRead),
  }),
});
