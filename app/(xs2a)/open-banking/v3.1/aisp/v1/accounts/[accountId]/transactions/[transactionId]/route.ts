import { readTransaction } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofTransaction } from "@/lib/xs2a/refusals";
import { accessOf } from "@/lib/xs2a/request-context";
import { tokenOfConsentInHeader } from "@/lib/xs2a/token";
import { accessHeaders, served, transactionPath } from "@/lib/xs2a/wire/common";
import { transactionRead } from "@/lib/xs2a/wire/transactions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransaction",
    summary: "Read one transaction",
    role: "PSP_AI",
    token: tokenOfConsentInHeader,
    headers: accessHeaders,
    path: transactionPath,
    refuses: ofTransaction,
    handle: ({ path, ...call }, ports) =>
      readTransaction(ports, accessOf(call, ports), {
        resourceId: path.accountId,
        transactionId: path.transactionId,
      }),
    reply: served(transactionRead),
  }),
});
