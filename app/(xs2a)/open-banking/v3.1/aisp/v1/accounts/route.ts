import { listAccounts } from "@/lib/domain/account-access/read-accounts";
import { accessOf } from "@/lib/xs2a/access";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofAccountData } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accountsRead } from "@/lib/xs2a/wire/account";
import { accessHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noPath } from "@/lib/xs2a/wire/path";
import { accountsQuery } from "@/lib/xs2a/wire/query";
import { served } from "@/lib/xs2a/wire/served";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "listAccounts",
    summary: "List the accounts of a consent",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: noPath,
    query: accountsQuery,
    body: noBody,
    refuses: ofAccountData,
    handle: ({ query, ...call }, ports) => listAccounts(ports, accessOf(call, ports), query),
    reply: served(accountsRead),
  }),
});
