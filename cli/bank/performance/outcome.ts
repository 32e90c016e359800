import type { Logged } from "./read-lines";

/** EBA/GL/2018/07, 2.4: of five requests together; so long is their patience, and of one a fifth of it. */
export const WITHIN_MS = 30_000;
const HUNG_UP_MS = WITHIN_MS / 5;

/** A fault of the bank's, and told as such: of these is the rate of errors. */
export function isError({ status }: Logged): boolean {
  return status !== undefined && status >= 500;
}

/** Who goes away at once was not left without an answer; who does so after a while was. */
export function isUnreplied(line: Logged): boolean {
  if (line.status === undefined) return line.tookMs >= HUNG_UP_MS;
  return isError(line) || line.tookMs >= WITHIN_MS;
}

/** Of these is the mean, however long one took. A refusal is none: without a certificate, say, it takes little. */
export function isGranted({ status }: Logged): boolean {
  return status !== undefined && status < 300;
}

/** What ends an outage. */
export function isSuccess(line: Logged): boolean {
  return isGranted(line) && !isUnreplied(line);
}
