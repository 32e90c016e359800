import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import { type Headers, type Seal, signed } from "@/cli/tpp/signing";

/** A request but for what is fresh in each: its id, date, digest and signature. */
export type Call = {
  readonly method: "GET" | "POST";
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
};
/** How a call is answered by whoever does the work. */
export type Expected = { readonly status: number; readonly bytes: number };
export type ExpectedCall = Call & { readonly expected?: Expected };
export type SignedRequest = ExpectedCall & { readonly requestId: string };
export type Answer = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
};

const PATIENCE_MS = 30_000;

/** Each with a signature of its own; the calls are taken in turn. Signing costs more than sending, so it comes before. */
export function signedRequests(
  seal: Seal,
  calls: readonly ExpectedCall[],
  count: number,
): readonly SignedRequest[] {
  return Array.from({ length: Math.ceil(count) }, (_, nth) => {
    const call = calls[nth % calls.length];
    if (call === undefined) throw new Error("there is nothing to call");
    const type = call.body === undefined ? {} : { "content-type": "application/json" };
    const own = { accept: "application/json", ...type, ...call.headers };
    const headers = signed(seal, Buffer.from(call.body ?? ""), own);
    return { ...call, headers, requestId: `${headers["x-request-id"]}` };
  });
}

export type Target = {
  readonly port: number;
  readonly ca: string;
  readonly certificate: { readonly pem: string; readonly key: string };
};

/** Connections with the TPP's certificate that stay open. */
export function poolOf({ port, ca, certificate }: Target, connections: number): Pool {
  return new Pool(`https://localhost:${port}`, {
    connections,
    pipelining: 1,
    connect: { ca, cert: certificate.pem, key: certificate.key },
    keepAliveTimeout: PATIENCE_MS,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  });
}

/** Throws for an answer that is not the expected one. */
export function send(pool: Pool, { method, path, headers, body, expected }: SignedRequest) {
  return new Promise<Answer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, rawHeaders]: [number, Buffer[]] = [0, []];
    const handler: Dispatcher.DispatchHandlers = {
      onConnect: () => undefined,
      onError: reject,
      onHeaders: (given, raw) => {
        [status, rawHeaders] = [given, raw];
        return true;
      },
      onData: (chunk) => chunks.push(chunk) > 0,
      onComplete: () => {
        const whole = Buffer.concat(chunks);
        const { status: wanted = status, bytes = whole.byteLength } = expected ?? {};
        if (status === wanted && bytes === whole.byteLength)
          return resolve({ status, headers: pairsOf(rawHeaders), body: whole });
        const got = `${status} with ${whole.byteLength} bytes in place of ${wanted} with ${bytes}`;
        reject(new Error(`${method} ${path}: ${got}: ${whole.toString().slice(0, 500)}`));
      },
    };
    pool.dispatch({ method, path, headers: { ...headers }, body: body ?? null }, handler);
  });
}

/** Node writes the others itself, for any server. */
const OF_NODE = new Set(["date", "connection", "keep-alive"]);

function pairsOf(raw: readonly Buffer[]): Answer["headers"] {
  const names = raw.filter((_, index) => index % 2 === 0);
  return names
    .map((name, index) => [name.toString(), String(raw[index * 2 + 1])] as const)
    .filter(([name]) => !OF_NODE.has(name.toLowerCase()));
}

/** So many at a time, each as soon as one before it is answered. Yields the seconds it took. */
export async function saturate(pool: Pool, requests: readonly SignedRequest[], atOnce: number) {
  const started = performance.now();
  const waiting = requests[Symbol.iterator]();
  const one = async () => {
    for (const request of waiting) await send(pool, request);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (performance.now() - started) / 1_000;
}

/**
 * Each at its instant, whether or not those before it are answered, and its time counts from then: a server that stalls
 * does not put off the requests that would show it (no coordinated omission). Yields milliseconds.
 */
export async function atRate(pool: Pool, requests: readonly SignedRequest[], perSecond: number) {
  const started = performance.now();
  const answered = requests.map(async (request, nth) => {
    const due = started + (nth * 1_000) / perSecond;
    await sleep(due - performance.now());
    await send(pool, request);
    return performance.now() - due;
  });
  return Promise.all(answered);
}
