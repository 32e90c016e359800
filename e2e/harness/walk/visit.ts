import { isDecided } from "@/lib/domain/authorisation";
import type { OutcomeName } from "@/lib/psu/outcome";
import type { endPages } from "@/lib/psu/pages";
import {
  closed,
  failed,
  minutes,
  type Question,
  type Request,
  requestAt,
  type Sight,
  sca,
  sessionClosed,
  settled,
  type Turn,
  type World,
} from "./world";

/** Of a session, seen from one page. */
type Standing = "none" | "ended" | "another" | "own";

/** The page is open in this browser: the world as it is once the bank has looked at the request. */
export type Arrived = {
  readonly world: World;
  readonly uid: string;
  readonly index: number;
  readonly request: Request;
  readonly standing: Standing;
};

export type Said = { readonly says?: OutcomeName; readonly attemptsLeft?: number };
type Again = { readonly again?: boolean };

export const GONE = { at: "gone" } as const satisfies Sight;

/** Undefined where this browser has no such page. Being asked for one is activity of the session. */
export function arrive(before: World, uid: string, now: number): Arrived | undefined {
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
    "tpp-blocked": "tpp-blocked",
  } as const;
  if (why === undefined) throw new Error("the walk does not know why the request has failed");
  return pages[why];
}

/** On to the TPP with a code: the page and the session are over. */
export function accepted({ world, uid }: Arrived): Turn {
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
export function afterTheEnd(arrived: Arrived, now: number): Turn {
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
