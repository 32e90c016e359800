import { readBalances } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAccount } from "@/lib/xs2a/refusals";
import { accessOf } from "@/lib/xs2a/request-context";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { balancesRead } from "@/lib/xs2a/wire/accounts";
import { accessHeaders, accountPath, served } from "@/lib/xs2a/wire/common";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readBalances",
    summary: "Read an account's balances",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    refuses: ofAccount,
    handle: ({ path, ...call }, ports) =>
      readBalances(ports, accessOf(call, ports), path.accountId),
    reply: served(balancesRead),
  }),
});
