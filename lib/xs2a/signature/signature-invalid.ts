import { type Rejection, reject } from "@/lib/domain/rejection";

/** 401 SIGNATURE_INVALID with the cause in words, at the header that is wrong. */
export function signatureInvalid(text: string, path = "Signature"): Rejection {
  return reject("SIGNATURE_INVALID", text, { path });
}
