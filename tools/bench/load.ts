import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type Headers, type Seal, signed } from "@/clients/typescript/src";

/** A request but for what is fresh in each: its id, date, digest and signature. */
export type Call = {
  readonly method: "GET" | "POST";
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** The answer of the product and of the limit. */
  readonly expected?: { readonly status: number; readonly bytes: number } | undefined;
};
export type Answer = Awaited<ReturnType<typeof send>>;
type Tls = { readonly ca: string; readonly cert: string; readonly key: string };

const PATIENCE_MS = 30_000;

/** Connections with the TPP's certificate that stay open. */
export function poolOf(port: number, tls: Tls, connections: number): Pool {
  return new Pool(`https://localhost:${port}`, {
    ...{ connections, pipelining: 1, connect: tls },
    ...{ keepAliveTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS },
  });
}

/** Each with a signature of its own; the calls are taken in turn. Signing costs more than sending, so it comes before. */
export function signedCalls(seal: Seal, calls: readonly Call[], count: number): readonly Call[] {
  return Array.from({ length: Math.ceil(count) }, (_, nth) => {
    const call = calls[nth % calls.length];
    if (call === undefined) throw new Error("there is nothing to call");
    const { body } = call;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const own = { accept: "application/json", ...type, ...call.headers };
    return {
      ...call,
      headers: signed(seal, body === undefined ? Buffer.alloc(0) : Buffer.from(body), own),
    };
  });
}

/** Throws for an answer that is not the expected one. */
export async function send(pool: Pool, { method, path, expected, ...call }: Call) {
  const { statusCode, headers, body } = await pool.request({
    ...{ method, path, headers: { ...call.headers }, body: call.body ?? null },
  });
  const text = await body.text();
  const [status, bytes] = [statusCode, Buffer.byteLength(text)];
  if (status === (expected?.status ?? status) && bytes === (expected?.bytes ?? bytes)) {
    return { status, headers, body: text };
  }
  const got = `${status} with ${bytes} bytes in place of ${JSON.stringify(expected)}`;
  throw new Error(`${method} ${path}: ${got}: ${text.slice(0, 500)}`);
}

/** So many at a time, each as soon as one before it is answered. Yields the seconds it took. */
export async function saturate(pool: Pool, calls: readonly Call[], atOnce: number) {
  const started = performance.now();
  const waiting = calls[Symbol.iterator]();
  const one = async () => {
    for (const call of waiting) await send(pool, call);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (performance.now() - started) / 1_000;
}

/**
 * Each at its instant, whether or not those before it are answered, and its time counts from then: a server that stalls
 * does not put off the requests that would show it (no coordinated omission). Yields milliseconds.
 */
export async function atRate(pool: Pool, calls: readonly Call[], perSecond: number) {
  const started = performance.now();
  const answered = calls.map(async (call, nth) => {
    const due = started + (nth * 1_000) / perSecond;
    await sleep(due - performance.now());
    await send(pool, call);
    return performance.now() - due;
  });
  return Promise.all(answered);
}
