import { Sequence } from "asn1js";
import { certificateId } from "./certificate-id";
import type { Issued } from "./status";

/**
 * RFC 6960 4.1: one certificate, unsigned and without a nonce, so that a responder may answer with
 * what it has signed before (RFC 5019). An old answer is recognised by its time.
 */
export function ocspRequest(issued: Issued): Uint8Array {
  const request = new Sequence({ value: [certificateId(issued)] });
  const tbsRequest = new Sequence({ value: [new Sequence({ value: [request] })] });
  return new Uint8Array(new Sequence({ value: [tbsRequest] }).toBER());
}
