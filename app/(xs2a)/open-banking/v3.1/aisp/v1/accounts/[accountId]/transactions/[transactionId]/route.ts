import { readTransaction } from "@/lib/domain/account-access/read-transactions";
import { accessOf } from "@/lib/xs2a/access";
import { endpoint } from "@/lib/xs2a/endpoint";
import { ofTransaction } from "@/lib/xs2a/refusals";
import { resource } from "@/lib/xs2a/resource";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accessHeaders } from "@/lib/xs2a/wire/headers";
import { noBody, noQuery, transactionPath } from "@/lib/xs2a/wire/path";
import { served } from "@/lib/xs2a/wire/served";
import { transactionRead } from "@/lib/xs2a/wire/transactions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransaction",
    summary: "Read one transaction",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: transactionPath,
    query: noQuery,
    body: noBody,
    refuses: ofTransaction,
    handle: ({ path, ...call }, ports) =>
      readTransaction(ports, accessOf(call, ports), {
        resourceId: path.accountId,
        transactionId: path.transactionId,
      }),
    reply: served(transactionRead),
  }),
});
