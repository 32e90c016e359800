import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { findConsent } from "@/lib/bank-api/find-consent";
import {
  accessSent,
  cursorOf,
  customerId,
  limit,
  page,
  pageOf,
  permissionId,
  permissionKind,
  positionIn,
  toAccess,
} from "@/lib/bank-api/wire";
import { type ReadPosition, readHistory } from "@/lib/domain/permissions";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listAccesses",
    summary: "List what a TPP has read by a permission, the newest first",
    scope: "permissions:read",
    path: z.object({ customerId, kind: permissionKind, permissionId }),
    query: z.strictObject({ limit, cursor: cursorOf(positionIn<ReadPosition>()).exactOptional() }),
    looksAt: ({ path }) => path.customerId,
    refuses: ["not-found"],
    handle: async ({ path, query, now }, ports) => {
      const { limit: most, cursor: after } = query;
      const asked = { limit: most, ...(after !== undefined && { after }) };
      const { lines, next } = await readHistory(ports, await findConsent(ports, path, now), asked);
      return page(lines.map(toAccess), next);
    },
    description: "A page of accesses.",
    answer: pageOf(accessSent),
  }),
});
