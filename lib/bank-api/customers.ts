import * as z from "zod";
import { type OptOutPosition, setOptOut } from "@/lib/domain/opt-outs";
import {
  findPermission,
  listPermissions,
  type PermissionPosition,
  type ReadPosition,
  readHistory,
  revokeEveryPermission,
  revokePermission,
} from "@/lib/domain/permissions";
import { type BankApiPorts, operation } from "./endpoint";
import { BankApiProblem } from "./problems";
import {
  accessSent,
  cursorOf,
  customerId,
  firstOf,
  limit,
  optOutAsked,
  optOutSent,
  page,
  pageOf,
  paymentSent,
  permissionId,
  permissionKind,
  permissionSent,
  positionIn,
  reason,
  toConsents,
  toPayments,
  tppId,
} from "./wire";

const customer = z.object({ customerId });
const consent = z.object({ customerId, kind: permissionKind, permissionId });

export const listOfPermissions = operation({
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
    return page(toConsents(permissions), next);
  },
  description: "A page of permissions.",
  answer: pageOf(permissionSent),
});

export const readPermission = operation({
  operationId: "readPermission",
  summary: "Read one permission of a customer",
  scope: "permissions:read",
  path: consent,
  looksAt: ({ path }) => path.customerId,
  refuses: ["not-found"],
  handle: async ({ path, now }, ports) => findConsent(ports, path, now),
  description: "The permission.",
  answer: permissionSent,
});

export const listAccesses = operation({
  operationId: "listAccesses",
  summary: "List what a TPP has read by a permission, the newest first",
  scope: "permissions:read",
  path: consent,
  query: z.strictObject({ limit, cursor: cursorOf(positionIn<ReadPosition>()).exactOptional() }),
  looksAt: ({ path }) => path.customerId,
  refuses: ["not-found"],
  handle: async ({ path, query, now }, ports) => {
    const { limit: most, cursor: after } = query;
    const asked = { limit: most, ...(after !== undefined && { after }) };
    const { lines, next } = await readHistory(ports, await findConsent(ports, path, now), asked);
    return page(lines, next);
  },
  description: "A page of accesses.",
  answer: pageOf(accessSent),
});

export const endPermission = operation({
  operationId: "endPermission",
  summary: "End a permission, as its customer wishes",
  scope: "permissions:end",
  path: consent,
  body: z.strictObject({ reason: reason.exactOptional() }),
  refuses: ["not-found"],
  handle: async ({ client, path, body, now }, ports) => {
    const { id, kind } = await findConsent(ports, path, now);
    const acting = { ...ports, ...ports.actingAs({ actor: client.actor, ...body }) };
    return { ended: await revokePermission(acting, { psuId: path.customerId, kind, id, now }) };
  },
  description: "Whether it was in force.",
  answer: z.strictObject({ ended: z.boolean() }),
});

type Asked = z.infer<typeof consent>;

/** The customer's permission. Rejects with `not-found`, also of another customer's. */
async function findConsent(ports: BankApiPorts, asked: Asked, now: Date) {
  const { customerId: psuId, kind, permissionId: id } = asked;
  const found = await findPermission(ports, { psuId, kind, id: id.toLowerCase(), now });
  const [shown] = toConsents(found === undefined ? [] : [found]);
  if (shown === undefined) {
    throw new BankApiProblem("not-found", "the customer has no such permission");
  }
  return shown;
}

export const endEveryPermission = operation({
  operationId: "endEveryPermission",
  summary: "End all permissions of a customer, or all of one TPP, as the customer wishes",
  scope: "permissions:end",
  path: customer,
  body: z.strictObject({
    tppId: tppId.exactOptional().describe("Those of this TPP alone."),
    reason: reason.exactOptional(),
  }),
  handle: async ({ client, path, body, now }, ports) => {
    const acting = ports.actingAs({ actor: client.actor, reason: body.reason });
    const whose = { psuId: path.customerId, tppId: body.tppId, now };
    return { ended: await revokeEveryPermission({ ...ports, ...acting }, whose) };
  },
  description: "How many were in force.",
  answer: z.strictObject({ ended: z.int() }),
});

export const listPayments = operation({
  operationId: "listPayments",
  summary: "List the payments of a customer through TPPs, the newest first",
  scope: "payments:read",
  path: customer,
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
});

export const listOptOuts = operation({
  operationId: "listOptOuts",
  summary: "List what TPPs may not ask a customer for",
  scope: "permissions:read",
  path: customer,
  query: z.strictObject({ limit, cursor: cursorOf(positionIn<OptOutPosition>()).exactOptional() }),
  looksAt: ({ path }) => path.customerId,
  handle: async ({ path, query }, { optOuts }) => {
    const asked = { after: query.cursor, limit: query.limit + 1 };
    const found = await optOuts.list(path.customerId, asked);
    return firstOf(found, query.limit, ({ position }) => position);
  },
  description: "A page of refusals, the oldest first.",
  answer: pageOf(optOutSent),
});

export const refuseTpp = operation({
  operationId: "setOptOut",
  summary: "Refuse a TPP, or all of them, for a customer",
  scope: "opt-outs:write",
  path: customer,
  body: optOutAsked,
  refuses: ["not-found"],
  handle: async ({ client, path, body, now }, ports) => {
    const { reason: why, ...refused } = body;
    const acting = ports.actingAs({ actor: client.actor, reason: why });
    const optOut = { psuId: path.customerId, ...refused };
    const outcome = await setOptOut({ ...ports, ...acting }, optOut, now);
    if (outcome === "unknown-tpp") {
      throw new BankApiProblem("not-found", "this TPP has not called");
    }
    return { set: outcome === "set" };
  },
  description: "Whether it was not refused already.",
  answer: z.strictObject({ set: z.boolean() }),
});

export const allowTpp = operation({
  operationId: "endOptOut",
  summary: "Let a TPP, or all of them, ask a customer again",
  scope: "opt-outs:write",
  path: customer,
  body: optOutAsked,
  handle: async ({ client, path, body, now }, ports) => {
    const { reason: why, ...refused } = body;
    const acting = ports.actingAs({ actor: client.actor, reason: why });
    return { ended: await acting.optOuts.end({ psuId: path.customerId, ...refused }, now) };
  },
  description: "Whether it was refused.",
  answer: z.strictObject({ ended: z.boolean() }),
});
