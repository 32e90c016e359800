import * as z from "zod";
import { type MessageCode, messageCodes } from "@/lib/domain/errors";
import type { RefusedRequest } from "@/lib/domain/refused-requests";
import type { RequestId } from "@/lib/domain/values";
import { replyOf } from "../declaration";
import type { Refusals } from "../refusals";
import { idInPath, keysOf } from "./common";

export const requestPath = z.object({
  requestId: idInPath<RequestId>("The X-Request-ID of the request that was refused."),
});

export const ofRefusedRequest: Refusals = { 404: ["RESOURCE_UNKNOWN"] };

const refusal = z.strictObject({
  refusedAt: z.iso.datetime().describe("By the bank's clock."),
  method: z.string().max(10),
  path: z.string().max(200).describe("With names in place of the ids in it."),
  status: z.int().min(400).max(599),
  code: z.enum(keysOf(messageCodes) as MessageCode[]),
  text: z.string().max(500).describe("As it was sent with the refusal."),
  check: z
    .string()
    .optional()
    .describe("Which check of the bank failed. The checks of a request before it had passed."),
  facts: z
    .array(z.strictObject({ label: z.string(), value: z.string() }))
    .optional()
    .describe("What the check saw and expected: never account data, tokens or signatures."),
});

export const refusalsRead = replyOf(
  {
    status: 200,
    description: "Why each request of the TPP with this X-Request-ID was refused, oldest first.",
    body: z.strictObject({ refusals: z.array(refusal).min(1) }),
  },
  (refused: readonly RefusedRequest[]) => ({
    value: {
      refusals: refused.map(({ at, method, route, status, code, told, explanation }) => ({
        ...{ refusedAt: at.toISOString(), method, path: route, status, code, text: told },
        ...explanation,
      })),
    },
  }),
);
