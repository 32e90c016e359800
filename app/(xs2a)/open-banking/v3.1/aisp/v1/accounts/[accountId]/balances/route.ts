import { readBalances } from "@/lib/domain/account-access/read-balances";
import { accessOf } from "@/lib/xs2a/access";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofAccount } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { balancesRead } from "@/lib/xs2a/wire/account";
import { accessHeaders } from "@/lib/xs2a/wire/headers";
import { accountPath, noBody, noQuery } from "@/lib/xs2a/wire/path";
import { served } from "@/lib/xs2a/wire/served";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readBalances",
    summary: "Read an account's balances",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    query: noQuery,
    body: noBody,
    refuses: ofAccount,
    handle: ({ path, ...call }, ports) =>
      readBalances(ports, accessOf(call, ports), path.accountId),
    reply: served(balancesRead),
  }),
});
