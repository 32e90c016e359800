import { operation, resource } from "@/lib/bank-api/endpoint";
import { statisticsQuery, statisticsSent, toStatistics } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "readStatistics",
    summary: "Count permissions by state, and by the day what has happened",
    scope: "statistics:read",
    query: statisticsQuery,
    handle: async ({ query }, { statistics }) => {
      const [days, consents, countedTo] = await Promise.all([
        statistics.days(query),
        statistics.consents(query.tppId),
        statistics.countedTo(),
      ]);
      return toStatistics({ days, consents, countedTo });
    },
    description: "Counts, of all TPPs or of one.",
    answer: statisticsSent,
  }),
});
