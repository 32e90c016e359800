import { readAccount } from "@/lib/domain/account-access/read-accounts";
import { accessOf } from "@/lib/xs2a/access";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofAccount } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accountRead } from "@/lib/xs2a/wire/account";
import { accessHeaders } from "@/lib/xs2a/wire/headers";
import { accountPath, noBody } from "@/lib/xs2a/wire/path";
import { accountsQuery } from "@/lib/xs2a/wire/query";
import { served } from "@/lib/xs2a/wire/served";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readAccount",
    summary: "Read an account",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: accountPath,
    query: accountsQuery,
    body: noBody,
    refuses: ofAccount,
    handle: ({ path, query, ...call }, ports) =>
      readAccount(ports, accessOf(call, ports), { resourceId: path.accountId, ...query }),
    reply: served(accountRead),
  }),
});
