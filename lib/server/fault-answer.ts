import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import { isUuid } from "@/lib/domain/identifiers";
import type { MessageCode } from "@/lib/domain/message-codes";
import { tppMessages } from "@/lib/xs2a/tpp-messages";

/** An answer that never reached the pipeline, in the form all answers of the TPP host have. */
export type FaultAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** `asked` are the headers of the request, as far as there was one. */
export function faultAnswer(
  status: number,
  code: MessageCode,
  text: string,
  asked: IncomingHttpHeaders = {},
): FaultAnswer {
  const body = JSON.stringify(tppMessages([{ code, text }]));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": echoed(asked["x-request-id"]),
    "x-fapi-interaction-id": echoed(asked["x-fapi-interaction-id"]),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return { status, headers, body };
}

/** The fault that fits a status which somebody else chose, without a word of theirs. */
export function faultOfStatus(status: number, asked: IncomingHttpHeaders = {}): FaultAnswer {
  if (status === 405) {
    return faultAnswer(405, "SERVICE_INVALID", "The method is not offered here", asked);
  }
  if (status === 413) return faultAnswer(413, "PAYLOAD_TOO_LARGE", "The body is too large", asked);
  if (status === 404 || (status >= 300 && status < 400)) {
    return faultAnswer(404, "RESOURCE_UNKNOWN", "There is nothing at this address", asked);
  }
  if (status >= 400 && status < 500) {
    return faultAnswer(400, "FORMAT_ERROR", "The request cannot be read", asked);
  }
  return faultAnswer(500, "INTERNAL_SERVER_ERROR", "An internal error occurred", asked);
}

/** The same as bytes, for a connection whose request never became one. */
export function rawAnswer({ status, headers, body }: FaultAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  return `${first}${lines.join("")}connection: close\r\n\r\n${body}`;
}

/** Only a UUID goes back; two that were joined into one value are none. */
function echoed(value: string | readonly string[] | undefined): string {
  return typeof value === "string" && isUuid(value) ? value : randomUUID();
}
