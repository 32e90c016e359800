import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { BankApiProblem } from "@/lib/bank-api/problems";
import { blockRequestAsked, tppId } from "@/lib/bank-api/wire";
import { faultsOf } from "@/lib/domain/tpp-blocks";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: operation({
    operationId: "requestTppBlock",
    summary: "Ask for a TPP to be blocked or let in again; one of the bank's people decides",
    scope: "tpps:request",
    path: z.object({ tppId }),
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
  }),
});
