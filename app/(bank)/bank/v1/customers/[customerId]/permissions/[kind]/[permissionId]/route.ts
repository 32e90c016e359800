import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { findConsent } from "@/lib/bank-api/find-consent";
import {
  customerId,
  permissionId,
  permissionKind,
  permissionSent,
  toPermission,
} from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "readPermission",
    summary: "Read one permission of a customer",
    scope: "permissions:read",
    path: z.object({ customerId, kind: permissionKind, permissionId }),
    looksAt: ({ path }) => path.customerId,
    refuses: ["not-found"],
    handle: async ({ path, now }, ports) => toPermission(await findConsent(ports, path, now)),
    description: "The permission.",
    answer: permissionSent,
  }),
});
