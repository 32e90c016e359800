import { expect } from "@playwright/test";
import type { Reply } from "@/clients/typescript/src";

/** The status, and among the reasons this code; with a path, at this place of the request. */
export function expectRefusal(
  reply: Reply<unknown>,
  status: number,
  code: string,
  path?: string,
): void {
  const { tppMessages } = reply.ok ? { tppMessages: [] } : reply.body;
  const reasons = tppMessages.map((message) =>
    path === undefined ? message.code : `${message.code} at ${message.path}`,
  );
  const wanted = path === undefined ? code : `${code} at ${path}`;
  expect({ status: reply.status, reasons }).toEqual({
    status,
    reasons: expect.arrayContaining([wanted]),
  });
}

const VARYING = new Set([
  "date",
  "x-request-id",
  "x-fapi-interaction-id",
  "content-length",
  // Longer once anything was granted on the connection.
  "keep-alive",
]);
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** What a TPP can see of an answer, ids and the time left out: for comparing two answers. */
export function seen(reply: Reply<unknown>): object {
  const headers = Object.entries(reply.headers).filter(([name]) => !VARYING.has(name));
  const body: unknown = JSON.parse(JSON.stringify(reply.body ?? null).replace(UUID, "<id>"));
  return { status: reply.status, headers: Object.fromEntries(headers), body };
}
