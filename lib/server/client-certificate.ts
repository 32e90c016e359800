import { createHash, timingSafeEqual } from "node:crypto";
import { TLSSocket } from "node:tls";
import { formatClientCert, parseEscapedPem } from "@/lib/eidas/client-certificate";
import { isAmong } from "@/lib/ip-address";
import { onlyValue } from "./http";
import type { ClientCertificate } from "./tpp-host";

/** From the TLS handshake with the TPP itself; encoded once per connection. */
export function fromTls(): ClientCertificate {
  const encoded = new WeakMap<TLSSocket, string | undefined>();
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    if (!encoded.has(socket)) {
      const certificate = socket.getPeerX509Certificate();
      encoded.set(socket, certificate && formatClientCert(certificate.raw));
    }
    return encoded.get(socket);
  };
}

/** The same of a client whose certificate an authority of the listener's has issued. */
export function fromVerifiedTls(): ClientCertificate {
  const presented = fromTls();
  return (request) => {
    const { socket } = request;
    return socket instanceof TLSSocket && socket.authorized ? presented(request) : undefined;
  };
}

/**
 * From a TLS proxy's `Client-Cert` header, believed only from its address and with its secret. nginx cannot
 * write the byte sequence of RFC 9440 without a module: its escaped PEM is converted.
 */
export function fromProxy(peers: readonly string[], secret: string): ClientCertificate {
  const isTrusted = isAmong(peers);
  const expected = digest(secret);
  return (request) => {
    const given = onlyValue(request, "x-proxy-secret");
    const isProxy = given !== undefined && timingSafeEqual(digest(given), expected);
    if (!isProxy || !isTrusted(request.socket.remoteAddress)) return undefined;
    const value = onlyValue(request, "client-cert");
    if (!value) return undefined;
    const der = parseEscapedPem(value);
    // What is in neither form is refused later, as a bad certificate.
    return der === undefined ? value : formatClientCert(der);
  };
}

/** Digests have equal lengths, and the time of their comparison says nothing about the secret. */
function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
