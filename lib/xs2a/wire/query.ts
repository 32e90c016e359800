import { z } from "zod";

/** `withBalance` is `true` or `false`; absent means false. */
export const accountsQuery = z.object({
  withBalance: z
    .enum(["true", "false"], { error: "is true or false" })
    .default("false")
    .describe("Whether each account comes with its balances, where the consent covers them.")
    .transform((text) => text === "true"),
});
