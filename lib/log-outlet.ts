import pino from "pino";

/** Bytes that wait to be written: behind a reader that stands still what comes then is lost. */
const WAITING_BYTES_MAX = 4 * 1024 ** 2;
/** What a pipe takes at once or not at all, so that what several write does not get mixed up (pipe(7)). */
const PIPE_BYTES = 4_096;

/** How many bytes wait for more to come, and for how many milliseconds. */
type Waiting = { readonly minLength: number; readonly periodicFlush: number };

/** A way to stdout that no request waits for. */
export function outlet(waiting?: Waiting) {
  const limits = { maxLength: WAITING_BYTES_MAX, maxWrite: PIPE_BYTES };
  const stdout = pino.destination({ dest: 1, sync: false, ...limits, ...waiting });
  const { flushSync } = stdout;
  // A disk that is full is no reason for a TPP to be left without an answer, nor for a server not to end: at the end
  // writing is tried again for ever, and so it is left out for as long as nothing can be written.
  stdout.on("error", () => Object.assign(stdout, { flushSync: () => undefined }));
  stdout.on("write", () => Object.assign(stdout, { flushSync }));
  return stdout;
}
