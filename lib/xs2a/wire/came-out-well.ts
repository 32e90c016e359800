import type { z } from "zod";

/** A rule over several fields runs as soon as these are there, however wrong the others are. */
export function cameOutWell(...names: readonly string[]) {
  return ({ value, issues }: z.core.ParsePayload): boolean =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => name in value && !issues.some(({ path }) => path?.[0] === name));
}
