import { isError } from "@/lib/domain/interface-figures";
import { outcomeOf } from "@/lib/server/requests-seen";
import type { Logged } from "./read-lines";

/** EBA/GL/2018/07, 2.4: of five requests together. */
export const WITHIN_MS = 30_000;

export function isUnreplied(line: Logged): boolean {
  const outcome = outcomeOf(line);
  return outcome !== undefined && (isError(outcome) || line.tookMs >= WITHIN_MS);
}

/** What ends an outage. A refusal does not: without a certificate, say, it asks nothing of the bank's systems. */
export function isSuccess(line: Logged): boolean {
  return outcomeOf(line) === "granted" && line.tookMs < WITHIN_MS;
}
