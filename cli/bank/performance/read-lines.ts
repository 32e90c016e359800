import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod";
import { jsonIn } from "@/lib/json";
import { REQUEST, type RequestLine, services } from "@/lib/server/requests-seen";
import { CommandFailed } from "../command-failed";
import { fileAt } from "../file-at";

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

/**
 * The requests of one log, in which everything else is passed over. Throws CommandFailed with the line for one that is
 * not as a server writes it; half a line is what a server leaves that is killed.
 */
export async function* readLines(file: string): AsyncGenerator<Logged> {
  // It is read twice, and so has to be there twice.
  await fileAt(file);
  const input = createReadStream(file);
  try {
    let number = 0;
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (!text.includes(`"msg":"${REQUEST}"`)) continue;
      const where = `${file}, line ${number}`;
      if (!text.startsWith("{"))
        throw new CommandFailed(`${where}: something stands before the log's own line`);
      const found = jsonIn(text);
      if (found === undefined) continue;
      const { success, data } = line.safeParse(found);
      if (!success) throw new CommandFailed(`${where}: no request as a server logs it`);
      yield { ...data, cameAt: data.time - data.tookMs, overAt: data.time };
    }
  } finally {
    input.destroy();
  }
}
