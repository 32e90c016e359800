import type { ServerResponse } from "node:http";

/** A request that takes longer waits for its client, or for something else that takes its time. */
const YOUNG_MS = 20;

const begun = new Map<ServerResponse, number>();

/** A request has come to this process, and will be answered by this response. */
export function noteRequest(response: ServerResponse): void {
  begun.set(response, performance.now());
  response.once("close", () => begun.delete(response));
}

/** Whether the process has a request to answer that has come just now. */
export function isAnswering(): boolean {
  const now = performance.now();
  for (const [response, since] of begun) {
    if (now - since < YOUNG_MS) return true;
    // The oldest come first, and none gets younger.
    begun.delete(response);
  }
  return false;
}
