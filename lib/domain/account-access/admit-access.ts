import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { UnattendedAccess } from "./access-budget";
import { type Allowance, allowanceOf, rateLimitHeaders } from "./allowance";
import type { Access } from "./granted-account";

type BudgetPorts = Pick<Ports, "accessBudget" | "profile">;

/**
 * Lets an unattended access through as often as the consent says in 24 hours, per endpoint and
 * account (RTS art. 36(5)(b)); attended ones always. Called when nothing else can refuse the call
 * any more, since a refused call does not count. Rejects with 429 ACCESS_EXCEEDED.
 */
export async function admitAccess(
  ports: BudgetPorts,
  access: Access,
  resource: string,
): Promise<Allowance | undefined> {
  if (access.attended) return undefined;
  const counted = unattended(ports, access, resource);
  const admission = await ports.accessBudget.admitUnattended(counted);
  const allowance = allowanceOf(admission, counted.limit, counted.now);
  if (admission.admitted) return allowance;
  const text = `the consent allows ${counted.limit} unattended accesses in ${counted.windowHours} hours`;
  const wait = Math.max(1, allowance.resetSeconds);
  throw reject("ACCESS_EXCEEDED", text, {
    headers: { ...rateLimitHeaders(allowance), "retry-after": String(wait) },
  });
}

/** What is left, for a call that belongs to an access which was counted before. */
export async function allowanceLeft(
  ports: BudgetPorts,
  access: Access,
  resource: string,
): Promise<Allowance | undefined> {
  if (access.attended) return undefined;
  const counted = unattended(ports, access, resource);
  return allowanceOf(await ports.accessBudget.unattendedLeft(counted), counted.limit, counted.now);
}

function unattended(
  { profile }: BudgetPorts,
  { consent, now }: Access,
  resource: string,
): UnattendedAccess {
  return {
    consentId: consent.id,
    resource,
    limit: consent.frequencyPerDay,
    windowHours: profile.accountConsent.frequencyWindowHours,
    now,
  };
}
