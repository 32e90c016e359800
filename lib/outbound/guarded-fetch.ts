import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "@/lib/ip-address";

/** The POST body and its media type; without one the address is read by GET. */
type Asked = {
  readonly url: string;
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** 0: any 2xx is good, and its body is not read. */
  readonly bytesMax: number;
};

type Guard = {
  /** Origins in private networks that are allowed, compared as text. */
  readonly allowedOrigins: readonly string[];
  /** From the first step to the last byte. */
  readonly millisecondsMax: number;
  /** PEM of the issuers whose certificates are trusted; those that Node knows when not given. */
  readonly ca?: readonly string[];
  /** The name servers of the machine when not given. */
  readonly resolve?: Resolve;
};

/**
 * Fetches a URL that an unknown caller has chosen: http and https only, no private network, no redirects,
 * bounded in time and size. Rejects with an Error otherwise.
 */
export function guardedFetch({
  allowedOrigins,
  millisecondsMax,
  ca,
  resolve = nameServers(),
}: Guard) {
  return async ({ url, body, headers, bytesMax }: Asked): Promise<Uint8Array> => {
    const target = new URL(url);
    checkForm(target);
    const inside = allowedOrigins.includes(target.origin);
    if (!inside) checkLiteral(target);
    const send = target.protocol === "https:" ? tlsRequest : plainRequest;
    const signal = AbortSignal.timeout(millisecondsMax);
    const options = {
      ...(body === undefined ? {} : posting(body, headers)),
      ...(ca !== undefined && { ca: [...ca] }),
      ...(inside ? {} : { lookup: publicLookup(resolve) }),
      signal,
      // A connection of its own: one that stays open would serve a name by an older answer.
      agent: false,
    };
    return new Promise((done, fail) => {
      const outgoing = send(target, options, (response) =>
        done(readAnswer(response, bytesMax, signal)),
      );
      outgoing.on("error", fail);
      // An answer that would change the protocol (101) is given up without an error.
      outgoing.on("close", () => fail(new Error("hung up without an answer")));
      outgoing.end(body?.bytes);
    });
  };
}

/** A user name or password in a URL would be sent to that server. */
function checkForm({ protocol, username, password }: URL): void {
  if (protocol !== "http:" && protocol !== "https:") throw new Error("neither http nor https");
  if (username !== "" || password !== "") throw new Error("names a user");
}

/** Literal addresses are connected to without a lookup. However one is spelt, URL spells it plainly. */
function checkLiteral({ hostname }: URL): void {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new Error("leads into a private network");
}

function posting({ bytes, type }: NonNullable<Asked["body"]>, headers: Asked["headers"]) {
  const ofBody = { "content-type": type, "content-length": bytes.byteLength };
  return { method: "POST", headers: { ...headers, ...ofBody } };
}

/** A redirect is an answer like any other that is not 200: leaving the loop ends the connection. */
async function readAnswer(
  response: IncomingMessage,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const { statusCode = 0 } = response;
  const isGood = statusCode === 200 || (bytesMax === 0 && statusCode > 200 && statusCode < 300);
  if (!isGood || bytesMax === 0) response.destroy();
  if (!isGood) throw new Error(`the answer has the status ${statusCode}`);
  if (bytesMax === 0) return new Uint8Array();
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error(`more than ${bytesMax} bytes came`);
  }
  // A body that does not tell its length ends where it is broken off, also when its time is over.
  signal.throwIfAborted();
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Asks the machine's name servers itself. The system's own lookup would hold one of four threads
 * until it has an answer, and passwords and files wait for the same four: an unknown caller whose
 * name servers do not answer could block all requests. Rejects when a name has no address.
 */
export function nameServers(resolver = new Resolver({ timeout: 1_000, tries: 2 })): Resolve {
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [...addresses(v4, 4), ...addresses(v6, 6)];
  };
}

function addresses(
  found: PromiseSettledResult<readonly string[]>,
  family: 4 | 6,
): readonly LookupAddress[] {
  if (found.status === "rejected") return [];
  return found.value.map((address) => ({ address, family }));
}

/** How a name becomes addresses, e.g. by asking name servers. Throws an Error when it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * The lookup of a connection: a name with any private address is refused. The connection uses the
 * addresses that were checked and does not resolve again, so DNS rebinding has no effect.
 */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    publicAddresses(hostname, resolve).then(
      ([first, ...more]) => {
        if (options.all === true) callback(null, [first, ...more]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

async function publicAddresses(hostname: string, resolve: Resolve): Promise<Addresses> {
  const [first, ...more] = await resolve(hostname);
  if (first === undefined) throw new Error("the name has no address");
  if (![first, ...more].every(({ address }) => isPublicAddress(address))) {
    throw new Error("leads into a private network");
  }
  return [first, ...more];
}
