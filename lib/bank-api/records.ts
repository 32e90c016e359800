import { operation } from "./endpoint";
import { eventSent, eventsQuery, firstOf, pageOf, statisticsQuery, statisticsSent } from "./wire";

export const listEvents = operation({
  operationId: "listEvents",
  summary: "List what was recorded, the oldest first",
  scope: "events:read",
  query: eventsQuery,
  looksAt: ({ query }) => query.customerId,
  handle: async ({ query }, { eventReader }) => {
    const { limit, cursor: after, customerId: psuId, ...filter } = query;
    const found = await eventReader.list({ ...filter, psuId }, { after, limit: limit + 1 });
    return firstOf(found, limit, ({ recordedAt, id, retention }) => ({
      ...{ recordedAt, id, retention },
    }));
  },
  description: "A page of events.",
  answer: pageOf(eventSent),
});

export const readStatistics = operation({
  operationId: "readStatistics",
  summary: "Count permissions by state, and by the day what has happened, a page of days at a time",
  scope: "statistics:read",
  query: statisticsQuery,
  handle: async ({ query }, { statistics }) => {
    const { limit, cursor: after, ...asked } = query;
    const [found, permissions, countedTo] = await Promise.all([
      statistics.days(asked, { after, limit: limit + 1 }),
      statistics.consents(query.tppId),
      statistics.countedTo(),
    ]);
    const { items: days, ...next } = firstOf(found, limit, ({ count: _, ...position }) => position);
    return { days, ...next, permissions, countedTo };
  },
  description: "Counts, of all TPPs or of one.",
  answer: statisticsSent,
});
