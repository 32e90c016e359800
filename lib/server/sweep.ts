// biome-ignore-all lint/style/noRestrictedImports: it ends with the process, and works in the stores
import type { Config } from "@/lib/config";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import { settleOverdue } from "@/lib/domain/consent/settle-overdue";
import { attemptLimits } from "@/lib/domain/sca/psu-attempts";
import { destroyReadsBefore } from "@/lib/postgres/access-log";
import { authorisationStore } from "@/lib/postgres/authorisation-store";
import { connect, type Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consent-store";
import { fundsConsentStore } from "@/lib/postgres/funds-consent-store";
import { forgetFundsSearches } from "@/lib/postgres/funds-search";
import { oidcModels } from "@/lib/postgres/oidc-models";
import { overdue } from "@/lib/postgres/overdue";
import { psuAttempts } from "@/lib/postgres/psu-attempts";
import { psuSessionStore } from "@/lib/postgres/psu-session-store";
import { sandboxClock } from "@/lib/postgres/sandbox-clock";
import { signInThrottle } from "@/lib/postgres/sign-in-throttle";
import { systemClock } from "@/lib/system-clock";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

/**
 * Ends and removes what time has ended and nobody reads any more. Every server does so: an end takes
 * place once, and nobody waits for a row that another has in hand. It runs here and not in the
 * application, whose parts begin with their first request and are told nothing when they end.
 */
export function startSweep({ DATABASE_URL, SANDBOX }: Config): Step {
  const { db, close } = connect(DATABASE_URL, { max: 1 });
  const clock = SANDBOX ? sandboxClock(db) : systemClock;
  const { everySeconds } = aspspProfile.sweep;
  const { stop } = repeat({ everySeconds, turn: async () => sweep(db, await clock.now()) });
  return { finish: () => stop().then(close) };
}

/**
 * Consents and authorisations are ended; payloads, sessions old rows of failures and old reads are removed. True when
 * there may be more.
 */
export async function sweep(db: Database, now: Date): Promise<boolean> {
  const { sca, ownChannel, accessLogKeptDays, fundsConfirmation, sweep: limits } = aspspProfile;
  const stores = {
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    authorisations: authorisationStore(db),
  };
  const ports = { ...stores, overdue: overdue(db), profile: aspspProfile };
  const unsettled = await settleOverdue(ports, now);
  const { rowsAtOnce } = limits;
  // A session of that age is dead, whatever the PSU did.
  const sessionsOf = (which: "authorisation" | "own-channel", minutes: number) =>
    psuSessionStore(db).destroyOpenedBefore(which, after(now, -minutes, "minute"), rowsAtOnce);
  const failures = attemptLimits(aspspProfile, now);
  const throttled = after(now, -aspspProfile.signInThrottle.keptHours, "hour");
  const removed = [
    await oidcModels(db).destroyExpired(now, rowsAtOnce),
    await sessionsOf("authorisation", sca.sessionMinutes),
    await sessionsOf("own-channel", ownChannel.sessionMinutes),
    await psuAttempts(db).destroyForgotten(failures, rowsAtOnce),
    await signInThrottle(db).destroyForgotten(throttled, rowsAtOnce),
    await destroyReadsBefore(db, after(now, -accessLogKeptDays, "day"), rowsAtOnce),
    await forgetFundsSearches(db, fundsConfirmation.search, now, rowsAtOnce),
  ];
  return unsettled || removed.includes(rowsAtOnce);
}
