import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { Access } from "./granted-account";

/**
 * Lets an unattended access through as often as the consent says in 24 hours, per endpoint and
 * account (RTS art. 36(5)(b)); attended ones always. Called when nothing else can refuse the call
 * any more, since a refused call does not count. Rejects with 429 ACCESS_EXCEEDED.
 */
export async function admitAccess(
  ports: Pick<Ports, "accessBudget" | "profile">,
  { consent, now, attended }: Access,
  resource: string,
): Promise<void> {
  if (attended) return;
  const admission = await ports.accessBudget.admitUnattended({
    consentId: consent.id,
    resource,
    limit: consent.frequencyPerDay,
    windowHours: ports.profile.accountConsent.frequencyWindowHours,
    now,
  });
  if (admission.admitted) return;
  const seconds = Math.max(1, Math.ceil((admission.retryAt.getTime() - now.getTime()) / 1_000));
  throw reject(
    "ACCESS_EXCEEDED",
    `the consent allows ${consent.frequencyPerDay} unattended accesses in ${ports.profile.accountConsent.frequencyWindowHours} hours`,
    { headers: { "retry-after": String(seconds) } },
  );
}
