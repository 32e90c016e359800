import { z } from "zod";

/** Links are absolute: many clients follow no others. */
export const link = z
  .strictObject({ href: z.url({ protocol: /^https$/ }) })
  .meta({ id: "Link", description: "An absolute address." });
