import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { reason, tppId } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "unblockTpp",
    summary: "Let a TPP in again",
    scope: "tpps:block",
    path: z.object({ tppId }),
    body: z.strictObject({ reason }),
    handle: async ({ client, path, body, now }, { actingAs }) => {
      const { stopList } = actingAs({ actor: client.actor, reason: body.reason });
      return { unblocked: await stopList.unblock(path.tppId, now) };
    },
    description: "Whether a block was in force.",
    answer: z.strictObject({ unblocked: z.boolean() }),
  }),
});
