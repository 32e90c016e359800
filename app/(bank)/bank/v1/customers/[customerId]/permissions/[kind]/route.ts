import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import {
  cursorOf,
  customerId,
  limit,
  page,
  pageOf,
  permissionKind,
  permissionSent,
  positionIn,
  toPermissions,
  tppId,
} from "@/lib/bank-api/wire";
import { listPermissions, type PermissionPosition } from "@/lib/domain/permissions";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listPermissions",
    summary: "List a customer's permissions of one kind, the newest first",
    scope: "permissions:read",
    path: z.object({ customerId, kind: permissionKind }),
    query: z.strictObject({
      tppId: tppId.exactOptional().describe("Of this TPP alone."),
      inForce: z
        .enum(["true", "false"])
        .transform((text) => text === "true")
        .exactOptional()
        .describe("Only those in force, or only the others."),
      limit,
      cursor: cursorOf(positionIn<PermissionPosition>()).exactOptional(),
    }),
    looksAt: ({ path }) => path.customerId,
    handle: async ({ path, query, now }, ports) => {
      const { limit: most, cursor: after, ...filter } = query;
      const { permissions, next } = await listPermissions(ports, {
        ...{ psuId: path.customerId, after, limit: most, now },
        filter: { ...filter, kind: path.kind },
      });
      return page(toPermissions(permissions), next);
    },
    description: "A page of permissions.",
    answer: pageOf(permissionSent),
  }),
});
