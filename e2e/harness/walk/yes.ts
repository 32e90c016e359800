import { aspspProfile } from "@/lib/domain/bank-profile";
import { changed, minutes, type Request, requestAt, type World } from "./world";

/** What the PSU's yes makes of a request; and of an older recurring consent for the same TPP, the last. */
export function authorised(before: World, index: number, now: number): World {
  const request = requestAt(before, index);
  const usableUntil = endOf(request, now);
  const world = changed(before, index, {
    status: "finalised",
    // The attempt that was right is given back.
    failures: request.failures - 1,
    ...(usableUntil !== undefined && { usableUntil }),
  });
  if (!isRecurring(request)) return world;
  const requests = world.requests.map((one, at) =>
    at !== index && isReplaced(one, request) ? { ...one, ended: "replaced" as const } : one,
  );
  return { ...world, requests };
}

function endOf({ kind, oneOff, windowEnd }: Request, now: number): number | undefined {
  const { accountConsent, oauth } = aspspProfile;
  if (kind === "PIS") return windowEnd + minutes(oauth.paymentTokenMinutes);
  return oneOff ? now + minutes(accountConsent.oneOffMinutes) : undefined;
}

function isReplaced(one: Request, { boundTo }: Request): boolean {
  const { status, ended } = one;
  return (
    isRecurring(one) && status === "finalised" && ended === undefined && one.boundTo === boundTo
  );
}

function isRecurring({ kind, oneOff }: Request): boolean {
  return kind === "AIS" && !oneOff;
}
