/** Why a page of ours is shown instead of leading back to a TPP: a closed list. */
export const endedReasons = ["unknown-client", "wrong-redirect-uri", "gone", "fault"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** Anything else a browser sends as reason says no more than `gone`. */
export function endedReason(text: unknown): EndedReason {
  return endedReasons.find((reason) => reason === text) ?? "gone";
}

export function endedPath(reason: EndedReason): string {
  return `/authorise/ended?reason=${reason}`;
}
