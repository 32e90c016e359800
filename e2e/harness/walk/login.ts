import { isDecided } from "@/lib/domain/authorisation";
import { attempted, failedAttempt, givenBack, isBlockedForGood } from "./attempts";
import { proofAsked } from "./proof";
import { afterTheEnd, arrive, GONE, visit } from "./visit";
import { changed, failed, requestAt, sca, type Turn, type World } from "./world";

export type Login = { readonly user: string; readonly password: "right" | "wrong" | "none" };

export function login(before: World, uid: string, { user, password }: Login, now: number): Turn {
  const arrived = arrive(before, uid, now);
  if (arrived === undefined) return { world: before, sight: GONE };
  const { world, index, request } = arrived;
  if (isDecided(request.status)) return visit(world, uid, now);
  if (password === "none") return visit(world, uid, now, { says: "credentials-missing" });
  const tried = attempted(world, { index, user, element: "password", now });
  if (password === "wrong" || tried.blocked) {
    const { world: after, attemptsLeft } = failedAttempt(tried, {
      index,
      user,
      element: "password",
    });
    return attemptsLeft === 0
      ? afterTheEnd({ ...arrived, world: after }, now)
      : visit(after, uid, now, { says: "wrong-credentials", attemptsLeft });
  }
  const known = givenBack(tried.world, user);
  if (isBlockedForGood(known, user)) {
    return afterTheEnd({ ...arrived, world: failed(known, index, "psu-blocked") }, now);
  }
  if (request.boundTo !== undefined && request.boundTo !== user) {
    if (requestAt(known, index).failures < sca.failedAttemptsMax) {
      return visit(known, uid, now, { says: "another-psu" });
    }
    return afterTheEnd({ ...arrived, world: failed(known, index, "too-many-tries") }, now);
  }
  return visit(signedIn(known, { index, user, uid, now }), uid, now);
}

type SignIn = {
  readonly index: number;
  readonly user: string;
  readonly uid: string;
  readonly now: number;
};

function signedIn(world: World, { index, user, uid, now }: SignIn): World {
  const { kind, status, failures } = requestAt(world, index);
  const serial = world.serial + 1;
  const first = status === "received";
  const session = { serial, user, uid, seenAt: now, alive: true };
  const bound = changed({ ...world, serial, session }, index, {
    boundTo: user,
    failures: failures - 1,
    ...(first && { status: "psuAuthenticated" }),
  });
  if (!first || kind === "AIS") return bound;
  if (user !== world.accountOf) return failed(bound, index, "not-own-account");
  return proofAsked(bound, index, now);
}
