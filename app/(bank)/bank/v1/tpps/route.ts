import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { cursorOf, firstOf, limit, page, pageOf, toTpp, tppId, tppSent } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listTpps",
    summary: "List the TPPs that have called, with their certificates",
    scope: "tpps:read",
    query: z.strictObject({ limit, cursor: cursorOf(tppId).exactOptional() }),
    handle: async ({ query, now }, { seenTpps }) => {
      const asked = { after: query.cursor, limit: query.limit + 1 };
      const found = await seenTpps.list(asked, now);
      const { shown, next } = firstOf(found, query.limit, ({ id }) => id);
      return page(shown.map(toTpp), next);
    },
    description: "A page of TPPs, by their ids.",
    answer: pageOf(tppSent),
  }),
});
