import { z } from "zod";
import { type MessageCode, messageCodes } from "@/lib/domain/message-codes";
import { meaningOf } from "./code-meanings";

const text = z.string().max(500);
const codes = Object.keys(messageCodes) as MessageCode[];

const code = z
  .union(codes.map((name) => z.literal(name).describe(meaningOf[name])))
  .meta({ id: "MessageCode", description: "What is wrong." });

const path = z.string().describe("Which part of the request it is about.");

const error = z.strictObject({
  category: z.literal("ERROR"),
  code,
  path: path.optional(),
  text: text.describe("The cause, for the developer of the TPP."),
});

/** The form of every refusal (`tpp-messages.ts`). */
export const refusalSent = z
  .strictObject({ tppMessages: z.array(error).min(1) })
  .meta({ id: "TppMessages", description: "A refusal, with an entry for each fault." });

/** The same for a TPP that asks for nothing else (RFC 7807). */
export const problemSent = z
  .strictObject({
    type: z.url().max(70),
    title: code,
    status: z.int().min(400).max(599),
    detail: text,
    code,
    additionalErrors: z.array(z.strictObject({ code, detail: text })).optional(),
  })
  .meta({ id: "Problem", description: "A refusal as a problem document (RFC 7807)." });

/** A remark that rides on a success. */
export const warningSent = z
  .strictObject({ category: z.literal("WARNING"), code: z.literal("WARNING"), path, text })
  .meta({ id: "Warning", description: "A remark: the request was granted with a change." });
