import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import {
  cursorOf,
  customerId,
  limit,
  page,
  pageOf,
  paymentSent,
  positionIn,
  toPayments,
  tppId,
} from "@/lib/bank-api/wire";
import { listPermissions, type PermissionPosition } from "@/lib/domain/permissions";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "listPayments",
    summary: "List the payments of a customer through TPPs, the newest first",
    scope: "payments:read",
    path: z.object({ customerId }),
    query: z.strictObject({
      tppId: tppId.exactOptional().describe("Through this TPP alone."),
      limit,
      cursor: cursorOf(positionIn<PermissionPosition>()).exactOptional(),
    }),
    looksAt: ({ path }) => path.customerId,
    handle: async ({ path, query, now }, ports) => {
      const { limit: most, cursor: after, tppId: of } = query;
      const filter = { kind: "payments", tppId: of } as const;
      const asked = { psuId: path.customerId, filter, after, limit: most, now };
      const { permissions, next } = await listPermissions(ports, asked);
      return page(toPayments(permissions), next);
    },
    description: "A page of payments.",
    answer: pageOf(paymentSent),
  }),
});
