import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { findConsent } from "@/lib/bank-api/find-consent";
import { customerId, permissionId, permissionKind, reason } from "@/lib/bank-api/wire";
import { revokePermission } from "@/lib/domain/permissions";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "endPermission",
    summary: "End a permission, as its customer wishes",
    scope: "permissions:end",
    path: z.object({ customerId, kind: permissionKind, permissionId }),
    body: z.strictObject({ reason: reason.exactOptional() }),
    refuses: ["not-found"],
    handle: async ({ client, path, body, now }, ports) => {
      const { consent, kind } = await findConsent(ports, path, now);
      const acting = { ...ports, ...ports.actingAs({ actor: client.actor, ...body }) };
      const asked = { psuId: path.customerId, kind, id: consent.id, now };
      return { ended: await revokePermission(acting, asked) };
    },
    description: "Whether it was in force.",
    answer: z.strictObject({ ended: z.boolean() }),
  }),
});
