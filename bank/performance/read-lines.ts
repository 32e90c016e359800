import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import { REQUEST, type RequestLine, services } from "@/lib/server/request-line";
import { CommandFailed } from "../command-failed";

/** A request as a server's log has it, with the instants at which it came and at which it was over. */
export type Logged = RequestLine & { readonly cameAt: number; readonly overAt: number };

const line = z.object({
  time: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  service: z.enum(services).optional(),
  method: z.string(),
  status: z.int().min(100).max(599).optional(),
  tookMs: z.number().nonnegative(),
  requestId: z.string().optional(),
}) satisfies z.ZodType<RequestLine>;

/** The requests of one log, in which everything else is passed over. Throws CommandFailed with the line. */
export async function* readLines(file: string): AsyncGenerator<Logged> {
  const input = createReadStream(file);
  let number = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const found = requestIn(text);
      if (found === undefined) continue;
      const { success, data } = line.safeParse(found);
      if (!success)
        throw new CommandFailed(`${file}, line ${number}: no request as a server logs it`);
      yield { ...data, cameAt: data.time - data.tookMs, overAt: data.time };
    }
  } catch (error) {
    throw inWords(file, error);
  }
}

/** Between the log's lines stand the start's words for a person, and what a supervisor has added. */
function requestIn(text: string): unknown {
  if (!text.includes(`"msg":"${REQUEST}"`)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inWords(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ENOENT") return new CommandFailed(`there is no file ${file}`);
  return new CommandFailed(`${file} cannot be read (${String(error.code)})`);
}
