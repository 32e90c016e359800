import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { reason, tppId } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "blockTpp",
    summary: "Refuse a TPP everything, from its next call on",
    scope: "tpps:block",
    path: z.object({ tppId }),
    body: z.strictObject({
      reason,
      until: z.iso
        .datetime()
        .transform((text) => new Date(text))
        .exactOptional()
        .describe("When the block ends; left out, when it is lifted."),
    }),
    handle: async ({ client, path, body, now }, { actingAs }) => {
      const { stopList } = actingAs({ actor: client.actor, reason: body.reason });
      return stopList
        .block({ ...path, ...body, blockedAt: now })
        .then(({ outcome }) => ({ outcome }));
    },
    description: "Whether it was blocked, was blocked already for as long, or the end is over.",
    answer: z.strictObject({ outcome: z.enum(["blocked", "blocked-already", "over-already"]) }),
  }),
});
