import pino from "pino";

const FRAMES_MAX = 20;
const CAUSES_MAX = 3;

/**
 * An error without what it was about (X7): a database's message repeats a row, and that of a statement all
 * its values, a PSU's name and IBAN among them. What it takes to find the fault stays: which statement, the
 * code, where.
 */
export function loggable(error: unknown, causes = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const frames = stack?.split("\n").filter((line) => /^\s+at /.test(line));
  const ofDatabase = "query" in error || "severity" in error;
  const told = { query: undefined, code: undefined, constraint_name: undefined, ...error };
  return {
    type: name,
    ...(!ofDatabase && { message }),
    query: told.query,
    code: told.code,
    constraint: told.constraint_name,
    frames: frames?.slice(0, FRAMES_MAX),
    ...(cause !== undefined && causes > 0 && { cause: loggable(cause, causes - 1) }),
  };
}

/** Bytes that wait to be written: behind a reader that stands still what comes then is lost. */
const WAITING_BYTES_MAX = 4 * 1024 ** 2;

const stdout = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES_MAX });
const { flushSync } = stdout;
/**
 * A disk that is full is no reason for a TPP to be left without an answer, nor for a server not to end: what is
 * written at the end is tried again for ever, so that it is left out as long as nothing can be written.
 */
stdout.on("error", () => Object.assign(stdout, { flushSync: () => undefined }));
stdout.on("write", () => Object.assign(stdout, { flushSync }));

/**
 * JSON lines on stdout. Fields are named where they are logged, bodies and headers never are; the
 * list below is the second lock, for what somebody logs by mistake.
 */
export const log = pino(
  {
    level: process.env["LOG_LEVEL"] || "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => loggable(error) },
    redact: {
      paths: [
        "authorization",
        "*.authorization",
        "cookie",
        "*.cookie",
        "password",
        "*.password",
        "code",
        "*.code",
        "iban",
        "*.iban",
        "access_token",
        "*.access_token",
        "refresh_token",
        "*.refresh_token",
        "tpp-signature-certificate",
        "*.tpp-signature-certificate",
      ],
      censor: "[redacted]",
    },
  },
  stdout,
);
