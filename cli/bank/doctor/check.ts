/** One line of what the doctor prints; the sentence of a fault says how to fix it. */
export type Line = {
  readonly result: "ok" | "warn" | "FAIL";
  readonly what: string;
  readonly sentence: string;
};

/** A check changes nothing, and takes `signal` as its deadline where it calls somebody. What it throws is a FAIL. */
export type Check = {
  readonly what: string;
  readonly find: (signal: AbortSignal) => Promise<readonly Finding[]>;
};

/** A line; without `what` it has the check's. */
export type Finding = Omit<Line, "what"> & { readonly what?: string };

type Made = (sentence: string, what?: string) => Finding;

export const ok: Made = (sentence, what) => finding("ok", sentence, what);
export const warn: Made = (sentence, what) => finding("warn", sentence, what);
export const fail: Made = (sentence, what) => finding("FAIL", sentence, what);

function finding(result: Line["result"], sentence: string, what: string | undefined): Finding {
  return { result, sentence, ...(what !== undefined && { what }) };
}

const DEADLINE_MS = 8_000;

/** Runs the checks side by side; the lines come in their order. */
export async function linesOf(
  checks: readonly Check[],
  deadlineMs = DEADLINE_MS,
): Promise<readonly Line[]> {
  const found = await Promise.all(
    checks.map(async ({ what, find }) => {
      const findings = await inTime(find, deadlineMs).catch((error: unknown) => [
        fail(reasonOf(error)),
      ]);
      return findings.map((one) => ({ what, ...one }));
    }),
  );
  return found.flat();
}

async function inTime(find: Check["find"], deadlineMs: number): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(new Error(`no answer within ${deadlineMs / 1_000} s: look at address and firewall`));
    });
  });
  return await Promise.race([find(signal), late]);
}

/** What was said at the bottom: the driver's, the system's or the peer's words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // Of several addresses of one host the message is empty.
  const [line] = (error.message || codeOf(error) || error.name).split("\n");
  return line?.replace(/[:.\s]+$/, "") ?? error.name;
}

/** An error of OpenSSL's or of the system's, as in `CERT_HAS_EXPIRED`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.cause instanceof Error) return codeOf(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
