import { z } from "zod";
import { answering } from "../answers";
import { endpoint } from "../endpoint";
import { responseOf } from "../http";
import type { Xs2aPorts } from "../ports";
import { noToken } from "../token";
import { noPath, noQuery } from "../wire/path";
import { certificatesOf, portsOf } from "./tpp";

export const own = await certificatesOf();
export const ports = await portsOf();

/** An endpoint that says back what it was told, and has not done so yet. */
export const newEcho = () =>
  endpoint({
    operationId: "echo",
    summary: "Say it back",
    role: "PSP_AI",
    token: noToken,
    headers: z.object({ "psu-ip-address": z.ipv4({ error: "is not an IP address" }).optional() }),
    path: noPath,
    query: noQuery,
    body: z.strictObject({ word: z.string() }).optional(),
    handle: async ({ body, qwac }) => ({ said: body?.word ?? "nothing", by: qwac.tpp.id }),
    refuses: {},
    reply: answering(
      {
        status: 200,
        description: "What was said.",
        body: z.strictObject({ said: z.string().max(20), by: z.string() }),
      },
      (value: unknown) => ({ value }),
    ),
  });

const echo = newEcho();
export const run = async (request: Request, house: Xs2aPorts = ports, asked = echo) =>
  responseOf(await asked(request, {}, house));
/** What the first entry of a refusal says. */
export async function refusal(request: Request, house: Xs2aPorts = ports, asked = echo) {
  const response = await run(request, house, asked);
  const { tppMessages } = (await response.json()) as {
    tppMessages: { code: string; path?: string; text: string }[];
  };
  return { status: response.status, ...tppMessages[0], entries: tppMessages.length };
}
