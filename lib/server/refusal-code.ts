import type { ServerResponse } from "node:http";
import type { MessageCode } from "@/lib/domain/errors";
import { firstCodeIn } from "@/lib/xs2a/refusals";

const codes = new WeakMap<ServerResponse, MessageCode>();

/** Read in what is sent, since a refusal may have been stored, or may never have come to the pipeline. */
export function keepRefusalCode(response: ServerResponse, status: number, body: unknown): void {
  if (status < 400 || typeof body !== "string") return;
  const code = firstCodeIn(body);
  if (code !== undefined) codes.set(response, code);
}

export function refusalCodeOf(response: ServerResponse): MessageCode | undefined {
  return codes.get(response);
}
