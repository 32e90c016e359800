import { isUuid } from "@/lib/domain/identifiers";
import type { HttpHead } from "./http";

/** What a request and its answer share, whatever becomes of the request. */
export type Exchange = {
  /** Echoed to the TPP; made here when the TPP sent none that could be echoed. */
  readonly requestId: string;
  readonly interactionId: string;
  /** The TPP reads problem documents (RFC 7807) and not plain JSON. */
  readonly prefersProblem: boolean;
  /** A HEAD is answered like a GET, without the body. */
  readonly bodyless: boolean;
  /** By the machine's steady clock, which no sandbox moves. */
  readonly openedAtMs: number;
};

export function openExchange(request: HttpHead): Exchange {
  const { headers } = request;
  const accepts = (type: string) => headers.get("accept")?.toLowerCase().includes(type) === true;
  return {
    requestId: echoed(headers.get("x-request-id")),
    interactionId: echoed(headers.get("x-fapi-interaction-id")),
    prefersProblem: accepts("application/problem+json") && !accepts("application/json"),
    bodyless: request.method === "HEAD",
    openedAtMs: performance.now(),
  };
}

/** Only a UUID is ever echoed, so nothing a caller sends can shape our headers or logs. */
function echoed(value: string | null): string {
  return value !== null && isUuid(value) ? value : crypto.randomUUID();
}
