import * as z from "zod";
import { faultsOf } from "@/lib/domain/tpp-blocks";
import { operation } from "./endpoint";
import { BankApiProblem } from "./problems";
import {
  blockRequestAsked,
  cursorOf,
  firstOf,
  instantAsked,
  limit,
  pageOf,
  reason,
  tppId,
  tppSent,
} from "./wire";

const tpp = z.object({ tppId });

export const listTpps = operation({
  operationId: "listTpps",
  summary: "List the TPPs that have called, with their certificates",
  scope: "tpps:read",
  query: z.strictObject({ limit, cursor: cursorOf(tppId).exactOptional() }),
  handle: async ({ query, now }, { seenTpps }) => {
    const asked = { after: query.cursor, limit: query.limit + 1 };
    return firstOf(await seenTpps.list(asked, now), query.limit, ({ id }) => id);
  },
  description: "A page of TPPs, by their ids.",
  answer: pageOf(tppSent),
});

export const readTpp = operation({
  operationId: "readTpp",
  summary: "Read one TPP, with its certificates",
  scope: "tpps:read",
  path: tpp,
  refuses: ["not-found"],
  handle: async ({ path, now }, { seenTpps }) => {
    const found = await seenTpps.find(path.tppId, now);
    if (found === undefined) throw new BankApiProblem("not-found", "this TPP has not called");
    return found;
  },
  description: "The TPP.",
  answer: tppSent,
});

export const blockTpp = operation({
  operationId: "blockTpp",
  summary: "Refuse a TPP everything, from its next call on",
  scope: "tpps:block",
  path: tpp,
  body: z.strictObject({
    reason,
    until: instantAsked
      .exactOptional()
      .describe("When the block ends; left out, when it is lifted."),
  }),
  handle: async ({ client, path, body, now }, { actingAs }) => {
    const { stopList } = actingAs({ actor: client.actor, reason: body.reason });
    const { outcome } = await stopList.block({ ...path, ...body, blockedAt: now });
    return { outcome };
  },
  description: "Whether it was blocked, was blocked already for as long, or the end is over.",
  answer: z.strictObject({ outcome: z.enum(["blocked", "blocked-already", "over-already"]) }),
});

export const unblockTpp = operation({
  operationId: "unblockTpp",
  summary: "Let a TPP in again",
  scope: "tpps:block",
  path: tpp,
  body: z.strictObject({ reason }),
  handle: async ({ client, path, body, now }, { actingAs }) => {
    const { stopList } = actingAs({ actor: client.actor, reason: body.reason });
    return { unblocked: await stopList.unblock(path.tppId, now) };
  },
  description: "Whether a block was in force.",
  answer: z.strictObject({ unblocked: z.boolean() }),
});

export const requestTppBlock = operation({
  operationId: "requestTppBlock",
  summary: "Ask for a TPP to be blocked or let in again; one of the bank's people decides",
  scope: "tpps:request",
  path: tpp,
  body: blockRequestAsked,
  refuses: ["conflict"],
  handle: async ({ client, path, body, now }, { tppBlocks }) => {
    const terms = { ...path, ...body };
    const [fault] = faultsOf(terms, now);
    if (fault !== undefined) {
      throw new BankApiProblem("malformed-request", `body.${fault} does not fit the action`);
    }
    const requested = await tppBlocks.request(terms, client.actor, now);
    if (requested === "open-already") {
      throw new BankApiProblem("conflict", "a request about this TPP is open already");
    }
    return requested;
  },
  description: "The request, which the staff console shows.",
  answer: z.strictObject({ id: z.string() }),
});
