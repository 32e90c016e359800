import { isDecided } from "@/lib/domain/authorisation";
import { attempted, failedAttempt, forgotten } from "./attempts";
import { codeSent, proofAsked } from "./proof";
import { type Arrived, accepted, afterTheEnd, arrive, GONE, visit } from "./visit";
import { changed, minutes, sca, type Turn, type World, withoutCode } from "./world";
import { authorised } from "./yes";

/** An answer in the PSU's name: only with the token of the session that is in the browser now. */
export type InName = { readonly serial: number | undefined; readonly now: number };
type Answer = (arrived: Arrived) => Turn;

function inName(before: World, uid: string, { serial, now }: InName, answer: Answer): Turn {
  const arrived = arrive(before, uid, now);
  if (arrived === undefined) return { world: before, sight: GONE };
  if (serial !== arrived.world.session?.serial) {
    return visit(arrived.world, uid, now, { says: "stale-form" });
  }
  return answer(arrived);
}

export function chooseAccounts(world: World, uid: string, any: boolean, name: InName): Turn {
  return inName(world, uid, name, (arrived) => {
    const { index, request } = arrived;
    const { now } = name;
    if (arrived.standing !== "own") return visit(arrived.world, uid, now);
    if (isDecided(request.status)) return afterTheEnd(arrived, now);
    if (!any) return visit(arrived.world, uid, now, { says: "nothing-selected", again: true });
    const byCode = request.boundTo !== world.passkeyOf;
    if (byCode && request.codesSent >= sca.codesSentMax) {
      return visit(arrived.world, uid, now, { says: "too-many-codes" });
    }
    return visit(proofAsked(arrived.world, index, now), uid, now);
  });
}

export function sendCode(world: World, uid: string, name: InName): Turn {
  return inName(world, uid, name, (arrived) => {
    const { index, request } = arrived;
    const { now } = name;
    if (arrived.standing !== "own") return visit(arrived.world, uid, now);
    if (request.status !== "started") return afterTheEnd(arrived, now);
    if (request.codesSent >= sca.codesSentMax) {
      return visit(arrived.world, uid, now, { says: "too-many-codes" });
    }
    const first = request.boundTo === world.passkeyOf && request.codeUntil === undefined;
    const said = first ? {} : ({ says: "new-code-sent" } as const);
    return visit(codeSent(arrived.world, index, now), uid, now, said);
  });
}

export type Typed = "right" | "wrong" | "none" | "malformed";

export function confirm(world: World, uid: string, typed: Typed, name: InName): Turn {
  return inName(world, uid, name, (arrived) => {
    const { request } = arrived;
    const { now } = name;
    if (arrived.standing !== "own" || request.status !== "started") {
      return visit(arrived.world, uid, now);
    }
    if (typed === "none") return visit(arrived.world, uid, now, { says: "code-missing" });
    if (typed === "malformed") return visit(arrived.world, uid, now, { says: "code-malformed" });
    if (request.codeUntil === undefined || now >= request.codeUntil) {
      return visit(arrived.world, uid, now, { says: "code-expired" });
    }
    return judged(arrived, typed === "right", now);
  });
}

/** The passkey's signature is right: whoever has the device in hand makes no mistake in it. */
export function usePasskey(world: World, uid: string, name: InName): Turn {
  return inName(world, uid, name, (arrived) =>
    arrived.standing === "own" && arrived.request.status === "started"
      ? judged(arrived, true, name.now)
      : visit(arrived.world, uid, name.now),
  );
}

function judged(arrived: Arrived, right: boolean, now: number): Turn {
  const { world, uid, index, request } = arrived;
  const user = String(request.boundTo);
  const tried = attempted(world, { index, user, element: "code", now });
  if (right && !tried.blocked) {
    const yes = authorised(forgotten(tried.world, user), index, now);
    return accepted({ ...arrived, world: withoutCode(yes, index) });
  }
  const { world: after, attemptsLeft } = failedAttempt(tried, { index, user, element: "code" });
  return attemptsLeft === 0
    ? afterTheEnd({ ...arrived, world: after }, now)
    : visit(after, uid, now, { says: "wrong-code", attemptsLeft });
}

export function stay(world: World, uid: string, again: boolean, name: InName): Turn {
  return inName(world, uid, name, ({ world: before, index, request, standing }) => {
    const { now } = name;
    if (request.boundTo !== undefined && standing !== "own") {
      return visit(before, uid, now, { says: "time-after-sign-in" });
    }
    if (isDecided(request.status)) return visit(before, uid, now);
    const last = request.createdAt + minutes(sca.windowMinutesMax);
    const whole = Math.min(now + minutes(sca.windowMinutes), last);
    const extended = changed(before, index, { windowEnd: Math.max(request.windowEnd, whole) });
    return visit(extended, uid, now, { says: "more-time", again });
  });
}
