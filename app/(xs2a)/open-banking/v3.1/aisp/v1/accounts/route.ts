import { listAccounts } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofAccountData } from "@/lib/xs2a/refusals";
import { accessOf } from "@/lib/xs2a/request-context";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accountsQuery, accountsRead } from "@/lib/xs2a/wire/accounts";
import { accessHeaders, served } from "@/lib/xs2a/wire/common";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccounts",
    summary: "List the accounts of a consent",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    query: accountsQuery,
    refuses: ofAccountData,
    handle: ({ query, ...call }, ports) => listAccounts(ports, accessOf(call, ports), query),
    reply: served(accountsRead),
  }),
});
