import pino from "pino";

const FRAMES_MAX = 20;
const CAUSES_MAX = 3;

/**
 * An error without personal data (X7): a database's message repeats a row, and that of a statement all
 * its values, a PSU's name and IBAN among them. What is needed to find the fault stays: the statement, the
 * code, the stack.
 */
export function loggable(error: unknown, causes = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const frames = stack?.split("\n").filter((line) => /^\s+at /.test(line));
  const ofDatabase = "query" in error || "severity" in error;
  const details = { query: undefined, code: undefined, constraint_name: undefined, ...error };
  return {
    type: name,
    ...(!ofDatabase && { message }),
    query: details.query,
    code: details.code,
    constraint: details.constraint_name,
    frames: frames?.slice(0, FRAMES_MAX),
    ...(cause !== undefined && causes > 0 && { cause: loggable(cause, causes - 1) }),
  };
}

const form = {
  level: process.env["LOG_LEVEL"] || "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
};

const secrets = [
  "authorization",
  "cookie",
  "password",
  "code",
  "iban",
  "access_token",
  "refresh_token",
  "tpp-signature-certificate",
];

/**
 * Fields are named where they are logged, bodies and headers never are; the list below is a second guard, for
 * values that are logged by mistake.
 */
const options = {
  ...form,
  serializers: { err: (error: unknown) => loggable(error) },
  redact: {
    paths: secrets.flatMap((name) => [name, `*.${name}`]),
    censor: "[redacted]",
  },
};

/** Bytes that wait to be written: when a reader does not read, further lines are dropped. */
const WAITING_BYTES_MAX = 4 * 1024 ** 2;
/** What a pipe accepts atomically, so that lines of several writers are not mixed (pipe(7)). */
const PIPE_BYTES = 4_096;

/** JSON lines on stdout. */
export const log = pino(options, outlet());

/** For one line a request. Written together, after a second at most: one by one they cost twice as much (docs/performance.md). */
export const requestLog = pino(form, outlet({ minLength: 3_500, periodicFlush: 1_000 }));

/** How many bytes are written together, and after how many milliseconds at most. */
type Waiting = { readonly minLength: number; readonly periodicFlush: number };

/** Written to asynchronously, so that no request waits for it. */
function outlet(waiting?: Waiting) {
  const limits = { maxLength: WAITING_BYTES_MAX, maxWrite: PIPE_BYTES };
  const stdout = pino.destination({ dest: 1, sync: false, ...limits, ...waiting });
  const { flushSync } = stdout;
  // A full disk must keep no server from answering or ending: at the end of the process `flushSync` would try again for
  // ever, so it does nothing while writing fails.
  stdout.on("error", () => Object.assign(stdout, { flushSync: () => undefined }));
  stdout.on("write", () => Object.assign(stdout, { flushSync }));
  return stdout;
}
