import { type Rejection, reject } from "../rejection";

/** A signed request that arrives again creates nothing: its id is unique to the call. */
export function usedRequestId(): Rejection {
  const text = "this X-Request-ID has created a consent before; a new request needs a new one";
  return reject("FORMAT_ERROR", text, { path: "X-Request-ID" });
}
