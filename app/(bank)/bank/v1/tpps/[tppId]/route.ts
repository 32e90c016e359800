import * as z from "zod";
import { operation, resource } from "@/lib/bank-api/endpoint";
import { BankApiProblem } from "@/lib/bank-api/problems";
import { toTpp, tppId, tppSent } from "@/lib/bank-api/wire";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: operation({
    operationId: "readTpp",
    summary: "Read one TPP, with its certificates",
    scope: "tpps:read",
    path: z.object({ tppId }),
    refuses: ["not-found"],
    handle: async ({ path, now }, { seenTpps }) => {
      const found = await seenTpps.find(path.tppId, now);
      if (found === undefined) throw new BankApiProblem("not-found", "this TPP has not called");
      return toTpp(found);
    },
    description: "The TPP.",
    answer: tppSent,
  }),
});
