import pino from "pino";
import { outlet } from "./log-outlet";

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

const form = {
  level: process.env["LOG_LEVEL"] || "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
};

/**
 * Fields are named where they are logged, bodies and headers never are; the list below is the second lock, for what
 * somebody logs by mistake.
 */
const options = {
  ...form,
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
};

/** JSON lines on stdout. */
export const log = pino(options, outlet());

/**
 * For lines of one form, of which one by itself tells nobody anything. They wait for each other, for a second at most:
 * to write each when it comes costs a request twice as much (docs/performance.md).
 */
export const requestLog = pino(form, outlet({ minLength: 3_500, periodicFlush: 1_000 }));
