import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { customerId, reason, tppId } from "@/lib/bank-api/wire";
import { revokeEveryPermission } from "@/lib/domain/permissions";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "endEveryPermission",
    summary: "End all permissions of a customer, or all of one TPP, as the customer wishes",
    scope: "permissions:end",
    path: z.object({ customerId }),
    body: z.strictObject({
      tppId: tppId.exactOptional().describe("Those of this TPP alone."),
      reason: reason.exactOptional(),
    }),
    handle: async ({ client, path, body, now }, ports) => {
      const acting = ports.actingAs({ actor: client.actor, reason: body.reason });
      const whose = { psuId: path.customerId, tppId: body.tppId, now };
      return { ended: await revokeEveryPermission({ ...ports, ...acting }, whose) };
    },
    description: "How many were in force.",
    answer: z.strictObject({ ended: z.int() }),
  }),
});
