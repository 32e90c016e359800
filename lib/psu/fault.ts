import { log } from "@/lib/log";

/**
 * A fault of ours. Its message stays out of the log: a failed query's message repeats the values it
 * was made with, and those are the PSU's.
 */
export function logFault(where: string, error: unknown): void {
  const stack = error instanceof Error ? error.stack?.match(/^ +at .*$/gm)?.slice(0, 8) : undefined;
  log.error({ where, fault: nameOf(error), cause: causeOf(error), stack }, "fault");
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The system's or PostgreSQL's own code, e.g. `ECONNREFUSED` or `23505`. */
function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  return "code" in cause ? String(cause.code) : causeOf(cause);
}
