import { constants } from "node:crypto";
import type { ServerOptions } from "node:https";

/** PEM: the bank's certificate and key, and the CA of the TPPs' certificates. */
export type TlsFiles = { readonly cert: string; readonly key: string; readonly ca: string };

/** As the product's listener has it, only that the TLS library itself verifies the client's certificate. */
export function tlsOptions({ cert, key, ca }: TlsFiles): ServerOptions {
  return {
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ciphers: [
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256",
      "TLS_AES_128_GCM_SHA256",
      "ECDHE+AESGCM",
      "ECDHE+CHACHA20",
    ].join(":"),
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    keepAliveTimeout: 60_000,
  };
}
