import { clockRange, type MovableClock } from "@/lib/domain/values";
import { serveClock } from "./clock";
import testingKeys from "./testing-keys.json" with { type: "json" };

export const WEB_URL = "http://localhost:3000";
/** The clock's time until it is moved. */
const MACHINE = new Date("2026-11-20T10:00:00Z");

/** Stands still, so that it can be compared. */
function standingClock(): MovableClock {
  let offset: number | undefined;
  const read = async () => ({
    now: new Date(MACHINE.getTime() + (offset ?? 0)),
    ...(offset !== undefined && { offsetMilliseconds: offset }),
  });
  return {
    now: async () => (await read()).now,
    read,
    moveTo: (instant) => {
      offset = instant.getTime() - MACHINE.getTime();
      return read();
    },
    advance: async (milliseconds) => {
      const to = (offset ?? 0) + milliseconds;
      if (MACHINE.getTime() + to > clockRange.to.getTime()) return undefined;
      offset = to;
      return read();
    },
    reset: () => {
      offset = undefined;
      return read();
    },
  };
}

type Sent = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** The URL of the clock, and a client for it. */
export function sandbox() {
  const sandboxClock = standingClock();
  const send = async (method: string, { body, headers = {} }: Sent = {}) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const request = new Request(`${WEB_URL}/sandbox/clock`, {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body }),
    });
    const response = await serveClock({ config: { WEB_URL }, sandboxClock }, request);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    send,
    get: () => send("GET"),
    put: (body: unknown, headers = {}) => send("PUT", { body: JSON.stringify(body), headers }),
    remove: (headers = {}) => send("DELETE", { headers }),
  };
}

const rs256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;
type RsaKey = (typeof testingKeys)[number];
let handedOut = 0;

/**
 * RSA keys for certificates of tests, out of a file of twelve pairs: to generate a pair takes most of the time in which a
 * TPP is made. They come in turn: of six TPPs in a row no two share a key, nor do the two certificates of one. They are
 * published with the project, and must not sign anything else.
 */
export async function nextKeys(): Promise<CryptoKeyPair> {
  const { n, e, ...secret } = testingKeys[handedOut % testingKeys.length] as RsaKey;
  handedOut += 1;
  const key = (more: object, use: KeyUsage) =>
    crypto.subtle.importKey("jwk", { kty: "RSA", n, e, ...more }, rs256, true, [use]);
  const [publicKey, privateKey] = [await key({}, "verify"), await key(secret, "sign")];
  return { publicKey, privateKey };
}
