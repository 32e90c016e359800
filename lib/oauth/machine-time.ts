import { systemClock } from "@/lib/system-clock";

/**
 * The end of something stored as oidc-provider is to see it, in seconds since 1970. The library asks
 * the machine's clock whether it has come, and saves an interaction again for as long as is left by
 * that; so it is told the end at the same distance from the machine's time as it is from the bank's,
 * which in the sandbox can be moved. Rounded up: the store judges to the millisecond, and the
 * library is not to be stricter.
 */
export async function endByTheMachine(expiresAt: Date, now: Date): Promise<number> {
  const machine = await systemClock.now();
  const left = Math.ceil((expiresAt.getTime() - now.getTime()) / 1_000);
  return Math.floor(machine.getTime() / 1_000) + left;
}
