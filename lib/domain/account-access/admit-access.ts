import type { AccountRead, ServedRead } from "../access-log/access-log";
import type { AccountId } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { UnattendedAccess } from "./access-budget";
import { type Allowance, allowanceOf, rateLimitHeaders } from "./allowance";
import type { Access } from "./granted-account";

type BudgetPorts = Pick<Ports, "accessBudget" | "profile">;

/** What is about to be read. */
export type Reading = {
  /** What it is counted under. */
  readonly resource: string;
  readonly what: AccountRead;
  readonly accountId?: AccountId;
};

/**
 * Lets an unattended access through as often as the consent says in 24 hours, per endpoint and
 * account (RTS art. 36(5)(b)); attended ones always. Called when nothing else can refuse the call
 * any more, since a refused call does not count, nor is it in the PSU's access history. What is to be
 * shown may be read meanwhile: it is shown to nobody when this rejects. Rejects with 429 ACCESS_EXCEEDED.
 */
export async function admitAccess(
  ports: BudgetPorts,
  access: Access,
  reading: Reading,
): Promise<Allowance | undefined> {
  if (access.attended) return admitAttended(ports, access, reading);
  const counted = unattended(ports, access, reading);
  const admission = await ports.accessBudget.admitUnattended(counted);
  const allowance = allowanceOf(admission, counted.limit, access);
  if (admission.admitted) return allowance;
  const text = `the consent allows ${counted.limit} unattended accesses in ${counted.windowHours} hours`;
  const wait = Math.max(1, allowance.resetSeconds);
  throw reject("ACCESS_EXCEEDED", text, {
    headers: { ...rateLimitHeaders(allowance), "retry-after": String(wait) },
  });
}

/** For a call that belongs to an access which was counted before: what is left of the budget. */
export async function continueAccess(
  ports: BudgetPorts,
  access: Access,
  reading: Reading,
): Promise<Allowance | undefined> {
  if (access.attended) return admitAttended(ports, access, reading);
  const counted = unattended(ports, access, reading);
  const budget = await ports.accessBudget.continueUnattended(counted);
  return allowanceOf(budget, counted.limit, access);
}

async function admitAttended(ports: BudgetPorts, access: Access, reading: Reading) {
  await ports.accessBudget.admitAttended(servedRead(access, reading));
  return undefined;
}

function unattended({ profile }: BudgetPorts, access: Access, reading: Reading): UnattendedAccess {
  return {
    read: servedRead(access, reading),
    resource: reading.resource,
    limit: access.consent.frequencyPerDay,
    windowHours: profile.accountConsent.frequencyWindowHours,
  };
}

function servedRead({ consent, now, attended }: Access, reading: Reading): ServedRead {
  const { what, accountId } = reading;
  return { consentId: consent.id, tppId: consent.tppId, what, accountId, at: now, attended };
}
