import {
  type FailureReason,
  isDecided,
  type ResourceKind,
  type ScaStatus,
} from "@/lib/domain/authorisation";
import type { OutcomeName } from "@/lib/psu/outcome";
import type { EndPage } from "@/lib/psu/pages";
import { aspspProfile } from "@/lib/testing-profile";

/** What a TPP may be told when its PSU is back. */
export type Reply = "code" | "access_denied" | "server_error" | "invalid_scope";

/** Pages on which something is answered; with a fixed account and with chosen ones alike. */
export type Question = "login" | "login-again" | "not-yours" | "accounts" | "confirm";

/** Where a step leaves the PSU. */
export type Sight =
  | { readonly at: "tpp"; readonly reply: Reply }
  | {
      readonly at: Question | EndPage | "gone";
      readonly says?: OutcomeName;
      readonly attemptsLeft?: number;
    };

export type Chosen = "one" | "all";

/** What one TPP has asked for, as far as the walk has gone. Instants are milliseconds of the bank's clock. */
export type Request = {
  readonly kind: ResourceKind;
  /** Of account information: for a few minutes only. */
  readonly oneOff: boolean;
  readonly status: ScaStatus;
  readonly why?: FailureReason;
  readonly createdAt: number;
  readonly windowEnd: number;
  readonly boundTo?: string;
  readonly failures: number;
  readonly codesSent: number;
  /** The accounts to share, once they are chosen. */
  readonly chosen?: Chosen;
  /** Until when the newest code is good; absent while none is under way. */
  readonly codeUntil?: number;
  /** After the yes. */
  readonly ended?: "revoked" | "withdrawn" | "replaced";
  /** Until when the yes is worth anything; without, longer than any walk. */
  readonly usableUntil?: number;
};

type Session = {
  /** Another one for each sign-in, as the forms' tokens are. */
  readonly serial: number;
  readonly user: string;
  readonly uid: string;
  readonly seenAt: number;
  readonly alive: boolean;
};

export type FailureRow = {
  readonly count: number;
  /** Codes alone, since the last success. */
  readonly codes: number;
  readonly lastAt: number;
};

/** A page of this browser's: of which request, and until when it is kept. */
type OpenPage = { readonly request: number; readonly until: number };

/** All that decides what one browser may see next. */
export type World = {
  readonly requests: readonly Request[];
  readonly open: ReadonlyMap<string, OpenPage>;
  readonly session?: Session;
  readonly rows: ReadonlyMap<string, FailureRow>;
  readonly serial: number;
  /** Whose account a payment or a funds consent is about. */
  readonly accountOf: string;
  readonly passkeyOf?: string;
};

export type Turn = { readonly world: World; readonly sight: Sight };

const MINUTE = 60_000;
export const { sca } = aspspProfile;
export const minutes = (count: number) => count * MINUTE;

export function emptyWorld(accountOf: string, passkeyOf?: string): World {
  return {
    requests: [],
    open: new Map(),
    rows: new Map(),
    serial: 0,
    accountOf,
    ...(passkeyOf !== undefined && { passkeyOf }),
  };
}

export function asked(
  world: World,
  { kind, oneOff }: Pick<Request, "kind" | "oneOff">,
  now: number,
): World {
  const request: Request = {
    kind,
    oneOff,
    status: "received",
    createdAt: now,
    windowEnd: now + minutes(sca.windowMinutes),
    failures: 0,
    codesSent: 0,
  };
  return { ...world, requests: [...world.requests, request] };
}

export function requestAt(world: World, index: number): Request {
  const found = world.requests[index];
  if (found === undefined) throw new Error(`the walk knows no request ${index}`);
  return found;
}

export function changed(world: World, index: number, changes: Partial<Request>): World {
  const requests = world.requests.map((request, at) =>
    at === index ? { ...request, ...changes } : request,
  );
  return { ...world, requests };
}

/** A request that is decided stays as it is. */
export function failed(world: World, index: number, why: FailureReason): World {
  return isDecided(requestAt(world, index).status)
    ? world
    : withoutCode(changed(world, index, { status: "failed", why }), index);
}

export function withoutCode(world: World, index: number): World {
  const requests = world.requests.map((request, at) => {
    const { codeUntil: _, ...rest } = request;
    return at === index ? rest : request;
  });
  return { ...world, requests };
}

export function settled(world: World, index: number, now: number): World {
  return now >= requestAt(world, index).windowEnd ? failed(world, index, "window-over") : world;
}

export function sessionClosed(world: World): World {
  const { session } = world;
  return session === undefined ? world : { ...world, session: { ...session, alive: false } };
}

export function closed(world: World, uid: string): World {
  return { ...world, open: new Map([...world.open].filter(([known]) => known !== uid)) };
}

/** RTS art. 4(3)(b) as the walk understands it: five in a row, of a request and of a user ID. */
type Trying = {
  readonly index: number;
  readonly user: string;
  readonly element: "password" | "code";
};

type Tried = { readonly world: World; readonly blocked: boolean };

const none: FailureRow = { count: 0, codes: 0, lastAt: 0 };

/** Counted before it is judged. A blocked PSU is not judged. */
export function attempted(
  world: World,
  { index, user, element, now }: Trying & { readonly now: number },
): Tried {
  const { failures } = requestAt(world, index);
  const counted = changed(world, index, { failures: failures + 1 });
  const row = world.rows.get(user) ?? none;
  const used = row.count >= sca.failedAttemptsMax;
  const over = used && now - row.lastAt >= minutes(sca.blockMinutes);
  if (used && !over) return { world: counted, blocked: true };
  if (element === "code" && isBlockedForGood(world, user)) return { world: counted, blocked: true };
  const count = over ? 1 : row.count + 1;
  const codes = row.codes + (element === "code" ? 1 : 0);
  return { world: withRow(counted, user, { count, codes, lastAt: now }), blocked: false };
}

/** By wrong codes alone: passwords are judged all the same. */
export function isBlockedForGood({ rows }: World, user: string): boolean {
  return (rows.get(user)?.codes ?? 0) >= sca.secondFactorFailuresMax;
}

/** None left: the request is over, and says so by what also stands in the PSU's way elsewhere. */
export function failedAttempt({ world, blocked }: Tried, { index, user, element }: Trying) {
  const { failures } = requestAt(world, index);
  const { count, codes } = world.rows.get(user) ?? none;
  const ofAll = sca.failedAttemptsMax - count;
  const ofCodes = sca.secondFactorFailuresMax - codes;
  const ofPsu = element === "code" ? Math.min(ofAll, ofCodes) : ofAll;
  const attemptsLeft = blocked ? 0 : Math.max(0, Math.min(sca.failedAttemptsMax - failures, ofPsu));
  if (attemptsLeft > 0) return { world, attemptsLeft };
  const why = blocked || ofPsu <= 0 ? "psu-blocked" : "too-many-tries";
  return { world: failed(world, index, why), attemptsLeft };
}

/** Of a right password. */
export function givenBack(world: World, user: string): World {
  const row = world.rows.get(user) ?? none;
  return withRow(world, user, { ...row, count: Math.max(0, row.count - 1) });
}

export function forgotten(world: World, user: string): World {
  return { ...world, rows: new Map([...world.rows].filter(([known]) => known !== user)) };
}

function withRow(world: World, user: string, row: FailureRow): World {
  return { ...world, rows: new Map([...world.rows, [user, row] as const]) };
}

/** A code goes out by itself, unless the PSU has a passkey. */
export function proofAsked(world: World, index: number, now: number): World {
  const started = withoutCode(changed(world, index, { status: "started" }), index);
  const { boundTo } = requestAt(world, index);
  return boundTo === world.passkeyOf ? started : codeSent(started, index, now);
}

export function codeSent(world: World, index: number, now: number): World {
  const codesSent = requestAt(world, index).codesSent + 1;
  return changed(world, index, { codesSent, codeUntil: now + minutes(sca.codeMinutes) });
}

/** What the PSU's yes makes of a request; and of an older recurring consent for the same TPP, the last. */
export function authorised(before: World, index: number, now: number): World {
  const request = requestAt(before, index);
  const usableUntil = endOf(request, now);
  const world = changed(before, index, {
    status: "finalised",
    // The attempt that was right is given back.
    failures: request.failures - 1,
    ...(usableUntil !== undefined && { usableUntil }),
  });
  if (!isRecurring(request)) return world;
  const requests = world.requests.map((one, at) =>
    at !== index && isReplaced(one, request) ? { ...one, ended: "replaced" as const } : one,
  );
  return { ...world, requests };
}

function endOf({ kind, oneOff, windowEnd }: Request, now: number): number | undefined {
  const { accountConsent, oauth } = aspspProfile;
  if (kind === "PIS") return windowEnd + minutes(oauth.paymentTokenMinutes);
  return oneOff ? now + minutes(accountConsent.oneOffMinutes) : undefined;
}

function isReplaced(one: Request, { boundTo }: Request): boolean {
  const { status, ended } = one;
  return (
    isRecurring(one) && status === "finalised" && ended === undefined && one.boundTo === boundTo
  );
}

function isRecurring({ kind, oneOff }: Request): boolean {
  return kind === "AIS" && !oneOff;
}
