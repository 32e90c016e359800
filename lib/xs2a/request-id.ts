import { isUuid, type RequestId } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";

/** Every call carries an X-Request-ID that is a UUID. Rejects with 400 FORMAT_ERROR. */
export function checkRequestId(headers: Headers): RequestId {
  const value = headers.get("x-request-id");
  if (value === null)
    throw reject("FORMAT_ERROR", "X-Request-ID is missing", { path: "X-Request-ID" });
  if (!isUuid(value)) {
    throw reject("FORMAT_ERROR", "X-Request-ID is not a UUID", { path: "X-Request-ID" });
  }
  return value.toLowerCase() as RequestId;
}
