import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { customerId, optOutAsked } from "@/lib/bank-api/wire";
import { endOptOut } from "@/lib/domain/opt-outs";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "endOptOut",
    summary: "Let a TPP, or all of them, ask a customer again",
    scope: "opt-outs:write",
    path: z.object({ customerId }),
    body: optOutAsked,
    handle: async ({ client, path, body, now }, ports) => {
      const { reason, ...refused } = body;
      const acting = ports.actingAs({ actor: client.actor, reason });
      return { ended: await endOptOut(acting, { psuId: path.customerId, ...refused }, now) };
    },
    description: "Whether it was refused.",
    answer: z.strictObject({ ended: z.boolean() }),
  }),
});
