import type { AspspProfile } from "./bank-profile";
import { meantUserId, type OneTimeCodes } from "./psu";
import { givingBack } from "./psu-attempts";
import { addTime, type Branded } from "./values";

/** Where a browser calls from: an IPv4 address or a /64 of IPv6, as text. */
export type Network = Branded<"Network">;
/** A keyed fingerprint: addresses of customers are kept nowhere in clear. */
export type ThrottleKey = Branded<"ThrottleKey">;

type Keys = { readonly network: ThrottleKey; readonly networkAndUser: ThrottleKey };

/** Wrong passwords by network, over all servers. */
export type SignInThrottle = {
  /**
   * Counts an attempt before it is judged; or yields how long this network has to wait, and counts nothing
   * for the user ID.
   */
  readonly take: (
    keys: Keys,
    limits: ThrottleLimits,
    now: Date,
  ) => Promise<{ readonly waitSeconds: number } | undefined>;
  /** The password was right: the network's failures for this user ID are over, and this one was none. */
  readonly wasRight: (keys: Keys) => Promise<void>;
  /** It was not judged. */
  readonly giveBack: (keys: Keys) => Promise<void>;
};

export type ThrottleLimits = {
  readonly pauseSecondsAfterFailure: readonly number[];
  readonly networkFailuresMax: number;
  readonly networkWindowSeconds: number;
  /** What was last tried at or before then is forgotten. */
  readonly forgotten: Date;
};

/** Hashing a password takes a core for tens of milliseconds, so those who wait are served by turns of their networks. */
export type PasswordTurns = {
  /** Undefined, and nothing is done, when too many wait, of this network or in all. */
  readonly run: <Done>(
    network: Network | undefined,
    work: () => Promise<Done>,
  ) => Promise<Done | undefined>;
};

export function throttleLimits(
  { signInThrottle: limits }: AspspProfile,
  now: Date,
): ThrottleLimits {
  return {
    pauseSecondsAfterFailure: limits.pauseSecondsAfterFailure,
    networkFailuresMax: limits.networkFailuresMax,
    networkWindowSeconds: limits.networkWindowMinutes * 60,
    forgotten: addTime(now, -limits.keptHours, "hour"),
  };
}

/** Neither shows whether there is such a user ID: they are decided before it is looked up. */
export type HeldBack =
  | { readonly outcome: "too-soon"; readonly waitSeconds: number }
  | { readonly outcome: "busy" };

type Asked = {
  readonly userId: string;
  /** Absent where it is not known; then only the user ID's own failures count. */
  readonly network?: Network | undefined;
  readonly now: Date;
};

export type GuardPorts = {
  readonly signInThrottle: SignInThrottle;
  readonly passwordTurns: PasswordTurns;
  readonly oneTimeCodes: OneTimeCodes;
  readonly profile: AspspProfile;
};

/**
 * Runs before every password check. A network that has failed often waits, longer each time for the same user ID,
 * before anything is looked up, hashed or counted against a customer; so one network can block hardly anybody, and
 * fills no table with made-up user IDs. `isFailure`: whether what was judged was a wrong password.
 */
export async function guarded<Judged>(
  ports: GuardPorts,
  { userId, network, now }: Asked,
  judge: () => Promise<Judged>,
  isFailure: (judged: Judged) => boolean,
): Promise<Judged | HeldBack> {
  const { signInThrottle, passwordTurns, profile } = ports;
  const keys = network === undefined ? undefined : keysOf(ports, network, userId);
  const held = keys && (await signInThrottle.take(keys, throttleLimits(profile, now), now));
  if (held !== undefined) return { outcome: "too-soon", waitSeconds: held.waitSeconds };
  const giveBack = async () => keys && signInThrottle.giveBack(keys);
  const done = await passwordTurns
    .run(network, async () => ({ judged: await judge() }))
    .catch(givingBack(giveBack));
  if (done === undefined) {
    await giveBack();
    return { outcome: "busy" };
  }
  if (keys !== undefined && !isFailure(done.judged)) await signInThrottle.wasRight(keys);
  return done.judged;
}

function keysOf({ oneTimeCodes }: GuardPorts, network: Network, userId: string): Keys {
  const key = (text: string) => oneTimeCodes.fingerprint(text) as ThrottleKey;
  return {
    network: key(`network\n${network}`),
    networkAndUser: key(`network and user-id\n${network}\n${meantUserId(userId)}`),
  };
}
