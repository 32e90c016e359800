import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { BankApiProblem } from "@/lib/bank-api/problems";
import {
  cursorOf,
  customerId,
  firstOf,
  limit,
  optOutAsked,
  optOutSent,
  page,
  pageOf,
  positionIn,
  toOptOut,
} from "@/lib/bank-api/wire";
import { type OptOutPosition, setOptOut } from "@/lib/domain/opt-outs";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listOptOuts",
    summary: "List what TPPs may not ask a customer for",
    scope: "permissions:read",
    path: z.object({ customerId }),
    query: z.strictObject({
      limit,
      cursor: cursorOf(positionIn<OptOutPosition>()).exactOptional(),
    }),
    looksAt: ({ path }) => path.customerId,
    handle: async ({ path, query }, { optOuts }) => {
      const asked = { after: query.cursor, limit: query.limit + 1 };
      const found = await optOuts.list(path.customerId, asked);
      const { shown, next } = firstOf(found, query.limit, ({ position }) => position);
      return page(shown.map(toOptOut), next);
    },
    description: "A page of refusals, the oldest first.",
    answer: pageOf(optOutSent),
  }),
  POST: operation({
    operationId: "setOptOut",
    summary: "Refuse a TPP, or all of them, for a customer",
    scope: "opt-outs:write",
    path: z.object({ customerId }),
    body: optOutAsked,
    refuses: ["not-found"],
    handle: async ({ client, path, body, now }, ports) => {
      const { reason, ...refused } = body;
      const acting = ports.actingAs({ actor: client.actor, reason });
      const optOut = { psuId: path.customerId, ...refused };
      const outcome = await setOptOut({ ...ports, ...acting }, optOut, now);
      if (outcome === "unknown-tpp") {
        throw new BankApiProblem("not-found", "this TPP has not called");
      }
      return { set: outcome === "set" };
    },
    description: "Whether it was not refused already.",
    answer: z.strictObject({ set: z.boolean() }),
  }),
});
