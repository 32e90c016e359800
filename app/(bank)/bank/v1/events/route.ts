import { operation, resource } from "@/lib/bank-api/endpoint";
import { eventSent, eventsQuery, firstOf, page, pageOf, toEvent } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listEvents",
    summary: "List what was recorded, the oldest first",
    scope: "events:read",
    query: eventsQuery,
    looksAt: ({ query }) => query.customerId,
    handle: async ({ query }, { eventReader }) => {
      const { limit, cursor: after, customerId: psuId, ...filter } = query;
      const found = await eventReader.list({ ...filter, psuId }, { after, limit: limit + 1 });
      const { shown, next } = firstOf(found, limit, ({ recordedAt, id }) => ({ recordedAt, id }));
      return page(shown.map(toEvent), next);
    },
    description: "A page of events.",
    answer: pageOf(eventSent),
  }),
});
