import { readTransaction } from "@/lib/domain/account-access";
import { endpoint, resource } from "@/lib/xs2a/endpoint";
import { ofTransaction } from "@/lib/xs2a/refusals";
import { accessOf, accountDataCall } from "@/lib/xs2a/resource-calls";
import { served, transactionPath } from "@/lib/xs2a/wire/common";
import { transactionRead } from "@/lib/xs2a/wire/transactions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: endpoint({
    operationId: "readTransaction",
    summary: "Read one transaction",
    ...accountDataCall,
    path: transactionPath,
    refuses: ofTransaction,
    handle: ({ path, ...call }, ports) =>
      accessOf(call, ports).then((access) =>
        readTransaction(ports, access, {
          resourceId: path.accountId,
          transactionId: path.transactionId,
        }),
      ),
    reply: served(transactionRead),
  }),
});
