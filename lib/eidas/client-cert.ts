import { decodeBase64 } from "./base64";
import { certificateLimits } from "./limits";

/** The value of an RFC 9440 `Client-Cert` header: a byte sequence of RFC 8941. */
export function formatClientCert(der: Uint8Array): string {
  return `:${Buffer.from(der).toString("base64")}:`;
}

/**
 * The DER of a `Client-Cert` header; `undefined` unless it is exactly one byte sequence without
 * parameters, so that two values joined with a comma are not taken for either of them.
 */
export function parseClientCert(value: string): Uint8Array | undefined {
  const base64 = /^:([A-Za-z0-9+/=]+):$/.exec(value)?.[1];
  const der = base64 === undefined ? undefined : decodeBase64(base64);
  return der !== undefined && der.byteLength <= certificateLimits.derBytesMax ? der : undefined;
}
