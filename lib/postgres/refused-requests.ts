import { and, desc, eq, lt } from "drizzle-orm";
import { refusedRequest } from "@/drizzle/schema/drawbridge";
import type { RefusedRequest, RefusedRequests } from "@/lib/domain/refused-requests";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { deleteOldest } from "./columns";

export function refusedRequestStore(db: Database): RefusedRequests {
  return {
    keep: async (refused) => {
      const rows = refused.map(({ resource, ...row }) => ({
        ...row,
        resourceKind: resource?.kind,
        resourceId: resource?.id,
      }));
      await db.insert(refusedRequest).values(rows);
    },
    of: async (which, limit) => {
      const wanted =
        "requestId" in which
          ? and(
              eq(refusedRequest.requestId, which.requestId),
              which.tppId === undefined ? undefined : eq(refusedRequest.tppId, which.tppId),
            )
          : eq(refusedRequest.resourceId, which.resourceId);
      const rows = await db
        .select()
        .from(refusedRequest)
        .where(wanted)
        .orderBy(desc(refusedRequest.at), desc(refusedRequest.id))
        .limit(limit);
      return rows.map(toRefused).reverse();
    },
  };
}

function toRefused(row: typeof refusedRequest.$inferSelect): RefusedRequest {
  const { id: _, resourceKind: kind, resourceId, ...refused } = row;
  const named = kind !== null && resourceId !== null && { resource: { kind, id: resourceId } };
  return { ...withoutNulls(refused), ...named };
}

/** Those refused before; yields how many were deleted. */
export function destroyRefusedBefore(db: Database, instant: Date, limit: number): Promise<number> {
  const { id, at } = refusedRequest;
  return deleteOldest(db, refusedRequest, lt(at, instant), { key: [id], orderBy: at, limit });
}
