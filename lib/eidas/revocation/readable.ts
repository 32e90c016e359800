import { unreadable } from "../asn1";
import { StatusFault } from "./status";

/**
 * Runs the reading of an answer. Whatever the ASN.1 library has against the bytes, and it throws errors
 * of its own at some, they are unreadable; what an answer is not believed for is told as it is.
 */
export function readable<Result>(what: "OCSP response" | "CRL", read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof StatusFault ? error : unreadable(what);
  }
}
