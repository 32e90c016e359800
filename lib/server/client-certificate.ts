import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { formatClientCert, parseEscapedPem } from "@/lib/eidas/client-certificate";
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

/**
 * From a TLS proxy's `Client-Cert` header, believed only from its address and with its secret. nginx
 * cannot write the byte sequence of RFC 9440 without a module, so its own way of writing a certificate
 * is read here too: it is turned into the standard's, and behind this line there is no other.
 */
export function fromProxy(peers: readonly string[], secret: string): ClientCertificate {
  const isTrusted = isAmong(peers);
  const expected = digest(secret);
  return (request) => {
    const given = onlyValue(request, "x-proxy-secret");
    const isProxy = given !== undefined && timingSafeEqual(digest(given), expected);
    if (!isProxy || !isTrusted(request.socket.remoteAddress)) return undefined;
    const value = onlyValue(request, "client-cert");
    return value ? inStandardForm(value) : undefined;
  };
}

/** What is in neither form stays as it is: a bad certificate, which is refused as one. */
function inStandardForm(value: string): string {
  const der = parseEscapedPem(value);
  return der === undefined ? value : formatClientCert(der);
}

/** Compared as digests: of equal length, and the time taken says nothing about the secret. */
function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Whether an address is one of these, or in one of these networks. */
export function isAmong(peers: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const peer of peers) {
    const [address = "", prefix] = peer.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (given) => {
    // On a dual-stack socket an IPv4 peer shows as ::ffff:a.b.c.d.
    const address = given?.replace(/^::ffff:(?=\d+\.)/, "");
    if (address === undefined) return false;
    return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  };
}
