import { isUuid, type RequestId } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";
import type { HttpHeaders } from "./http";

const EXAMPLE = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Every call carries an X-Request-ID that is a UUID. Rejects with 400 FORMAT_ERROR. */
export function checkRequestId(headers: HttpHeaders): RequestId {
  const value = headers.get("x-request-id");
  if (value === null)
    throw reject("FORMAT_ERROR", "X-Request-ID is missing", { path: "X-Request-ID" });
  if (!isUuid(value)) {
    const text = `X-Request-ID is not a UUID, 36 characters as in ${EXAMPLE}; it has ${value.length}`;
    throw reject("FORMAT_ERROR", text, { path: "X-Request-ID" });
  }
  return value.toLowerCase() as RequestId;
}
