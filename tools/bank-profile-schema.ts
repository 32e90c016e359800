import { z } from "zod";
import { profileSchema } from "@/lib/profile/schema";

/** docs/bank-profile.schema.json, made from the schema that a bank's file is checked with; `npm run contract` writes it. */
export function bankProfileSchema(): string {
  const schema = z.toJSONSchema(profileSchema, { io: "input", target: "draft-2020-12" });
  return `${JSON.stringify({ title: "The profile of a bank", ...schema }, null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) process.stdout.write(bankProfileSchema());
