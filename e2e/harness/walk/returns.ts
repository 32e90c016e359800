import type { Lane } from "./lane";
import { type Reply, requestAt, type Turn } from "./world";

/** All that has come to the TPP for this browser since it was last looked at. */
export function arrivals({ askings, door }: Lane): readonly string[] {
  return askings.flatMap(({ state }) => door.taken(state));
}

/** The TPP is told once, at the address it has signed for, with `code` or `error`, `state` and `iss`. */
export function returnFaults(
  lane: Lane,
  { sight, world }: Turn,
  came: readonly string[],
): readonly string[] {
  if (sight.at !== "tpp") return [];
  const { reply } = sight;
  const [href, ...more] = came;
  if (href === undefined || more.length > 0) return [`${reply} was due, and came: ${came.join()}`];
  const { origin, pathname, searchParams } = new URL(href);
  const index = requestOf(lane, searchParams);
  const request = index < 0 ? undefined : requestAt(world, index);
  const path = reply === "code" || reply === "invalid_scope" ? "/callback" : "/nok";
  const agrees = reply === "invalid_scope" || request?.status === settledBy[reply];
  const fits =
    origin + pathname === lane.door.origin + path &&
    searchParams.getAll("iss").join() === lane.bank.xs2aUrl &&
    searchParams.getAll("state").length === 1 &&
    replyIn(searchParams) === reply &&
    agrees;
  // A code is made for each page once.
  const isNew = reply !== "code" || !lane.came.has(href);
  return fits && isNew ? [] : [`${reply} was due, and ${href} came`];
}

export function requestOf({ askings }: Lane, searchParams: URLSearchParams): number {
  return askings.findIndex(({ state }) => state === searchParams.get("state"));
}

const settledBy: Readonly<Record<Exclude<Reply, "invalid_scope">, string>> = {
  code: "finalised",
  server_error: "finalised",
  access_denied: "failed",
};

/** One of the two, and once. */
function replyIn(searchParams: URLSearchParams): string | undefined {
  const codes = searchParams.getAll("code");
  const errors = searchParams.getAll("error");
  if (codes.length + errors.length !== 1) return undefined;
  return codes.length === 1 ? "code" : errors[0];
}
