import type { z } from "zod";

/** For the schema of a body: says that there has to be one, and of what form. */
export const jsonObject = {
  error: ({ code, input }: z.core.$ZodRawIssue) => {
    if (code !== "invalid_type") return undefined;
    return input === undefined
      ? "the body is missing: a JSON object is needed"
      : "the body is not a JSON object";
  },
} as const;
