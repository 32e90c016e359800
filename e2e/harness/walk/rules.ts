import { isDecided } from "@/lib/domain/authorisation";
import type { OutcomeName } from "@/lib/psu/outcome";
import type { endPages } from "@/lib/psu/pages";
import {
  attempted,
  authorised,
  type Chosen,
  changed,
  closed,
  codeSent,
  failed,
  failedAttempt,
  forgotten,
  givenBack,
  isBlockedForGood,
  minutes,
  proofAsked,
  type Question,
  type Request,
  requestAt,
  type Sight,
  sca,
  sessionClosed,
  settled,
  type Turn,
  type World,
  withoutCode,
} from "./world";

/** Of a session, seen from one page. */
type Standing = "none" | "ended" | "another" | "own";

/** The page is open in this browser: the world as it is once the bank has looked at the request. */
type Arrived = {
  readonly world: World;
  readonly uid: string;
  readonly index: number;
  readonly request: Request;
  readonly standing: Standing;
};

type Said = { readonly says?: OutcomeName; readonly attemptsLeft?: number };
type Again = { readonly again?: boolean };

const GONE = { at: "gone" } as const satisfies Sight;

/** Undefined where this browser has no such page. Being asked for one is activity of the session. */
function arrive(before: World, uid: string, now: number): Arrived | undefined {
  const page = before.open.get(uid);
  if (page === undefined || now >= page.until) return undefined;
  const index = page.request;
  const world = settled(before, index, now);
  const request = requestAt(world, index);
  const { session } = world;
  if (session === undefined || request.boundTo === undefined) {
    return { world, uid, index, request, standing: "none" };
  }
  if (!session.alive || now - session.seenAt > minutes(sca.inactivityMinutes)) {
    return { world, uid, index, request, standing: session.uid === uid ? "ended" : "none" };
  }
  const standing = session.user === request.boundTo ? "own" : "another";
  return {
    world: { ...world, session: { ...session, seenAt: now } },
    uid,
    index,
    request,
    standing,
  };
}

/** A page is loaded, after an answer or on its own. */
export function visit(world: World, uid: string, now: number, more: Said & Again = {}): Turn {
  const arrived = arrive(world, uid, now);
  if (arrived === undefined) return { world, sight: GONE };
  const { request, standing } = arrived;
  const { again = false, ...said } = more;
  const seen = (at: Exclude<Sight["at"], "tpp">): Turn => ({
    world: arrived.world,
    sight: { at, ...said },
  });
  switch (request.status) {
    case "received":
      return seen("login");
    case "failed":
      return seen(endOf(request));
    case "finalised":
      if (standing !== "own" && standing !== "ended") return seen("already-confirmed");
      return isUsable(request, now) ? accepted(arrived) : seen("no-longer-valid");
    default:
      if (standing === "another") return seen("not-yours");
      return seen(standing === "own" ? questionFor(request, again) : "login-again");
  }
}

/** A one-off consent is over after its minutes, a payment's token some time after its window. */
function isUsable({ ended, usableUntil }: Request, now: number): boolean {
  return ended === undefined && (usableUntil === undefined || now < usableUntil);
}

function questionFor({ kind, status }: Request, again: boolean): Question {
  return kind === "AIS" && (status === "psuAuthenticated" || again) ? "accounts" : "confirm";
}

function endOf({ why }: Request): (typeof endPages)[number] {
  const pages = {
    cancelled: "refused",
    "too-many-tries": "too-many-tries",
    "psu-blocked": "blocked",
    "window-over": "expired",
    "withdrawn-by-tpp": "withdrawn",
    "not-own-account": "not-your-account",
    "account-gone": "account-gone",
    "last-day-over": "expired",
    "tpp-blocked": "tpp-blocked",
    "opted-out": "opted-out",
    "customer-blocked": "customer-blocked",
  } as const;
  if (why === undefined) throw new Error("the walk does not know why the request has failed");
  return pages[why];
}

/** On to the TPP with a code: the page and the session are over. */
function accepted({ world, uid }: Arrived): Turn {
  return { world: sessionClosed(closed(world, uid)), sight: { at: "tpp", reply: "code" } };
}

function left({ world, uid, index }: Arrived): Turn {
  const reply = refusalOf(requestAt(world, index));
  return { world: sessionClosed(closed(world, uid)), sight: { at: "tpp", reply } };
}

function refusalOf({ status }: Request) {
  return status === "finalised" ? "server_error" : "access_denied";
}

/** What an answer leads to that came too late, or was one too many. */
function afterTheEnd(arrived: Arrived, now: number): Turn {
  const { status, why } = requestAt(arrived.world, arrived.index);
  if (status === "finalised") return visit(arrived.world, arrived.uid, now);
  return why === "too-many-tries" ? left(arrived) : visit(arrived.world, arrived.uid, now);
}

/** Its form has a ticket that leads back to the TPP also when the page is over. */
export function cancel(before: World, uid: string, index: number, now: number): Turn {
  const arrived = arrive(before, uid, now);
  if (arrived !== undefined) {
    return left({ ...arrived, world: failed(arrived.world, index, "cancelled") });
  }
  const world = settled(before, index, now);
  const request = requestAt(world, index);
  const sight = isDecided(request.status)
    ? ({ at: "tpp", reply: refusalOf(request) } as const)
    : GONE;
  return { world, sight };
}

/** The TPP's link; `uid` is the page that the bank has made for it. */
export function followLink(
  before: World,
  index: number,
  uid: string | undefined,
  now: number,
): Turn {
  const world = settled(before, index, now);
  if (isDecided(requestAt(world, index).status)) {
    return { world, sight: { at: "tpp", reply: "invalid_scope" } };
  }
  if (uid === undefined) return { world, sight: { at: "login" } };
  const until = now + minutes(sca.windowMinutesMax + sca.windowMinutes);
  const open = new Map([...world.open, [uid, { request: index, until }] as const]);
  return visit({ ...world, open }, uid, now);
}

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

/** An answer in the PSU's name: only with the token of the session that is in the browser now. */
export type InName = {
  readonly serial: number | undefined;
  /** On the page that it comes from. */
  readonly chosen: Chosen | undefined;
  readonly now: number;
};
type Answer = (arrived: Arrived) => Turn;

function inName(before: World, uid: string, { serial, now }: InName, answer: Answer): Turn {
  const arrived = arrive(before, uid, now);
  if (arrived === undefined) return { world: before, sight: GONE };
  if (serial !== arrived.world.session?.serial) {
    return visit(arrived.world, uid, now, { says: "stale-form" });
  }
  return answer(arrived);
}

export function chooseAccounts(
  world: World,
  uid: string,
  chosen: Chosen | "none",
  name: InName,
): Turn {
  return inName(world, uid, name, (arrived) => {
    const { index, request } = arrived;
    const { now } = name;
    if (arrived.standing !== "own") return visit(arrived.world, uid, now);
    if (isDecided(request.status)) return afterTheEnd(arrived, now);
    if (chosen === "none")
      return visit(arrived.world, uid, now, { says: "nothing-selected", again: true });
    const byCode = request.boundTo !== world.passkeyOf;
    if (byCode && request.codesSent >= sca.codesSentMax) {
      return visit(arrived.world, uid, now, { says: "too-many-codes" });
    }
    return visit(proofAsked(changed(arrived.world, index, { chosen }), index, now), uid, now);
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
    // Nothing is confirmed but what the page shows.
    if (name.chosen !== request.chosen) return visit(arrived.world, uid, now, { says: "changed" });
    return judged(arrived, typed === "right", now);
  });
}

/** The passkey's signature is right: who has the device makes no mistake in it. */
export function usePasskey(world: World, uid: string, name: InName): Turn {
  return inName(world, uid, name, (arrived) => {
    const { standing, request } = arrived;
    const { chosen, now } = name;
    if (standing !== "own" || request.status !== "started") return visit(arrived.world, uid, now);
    return chosen === request.chosen
      ? judged(arrived, true, now)
      : visit(arrived.world, uid, now, { says: "changed" });
  });
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
