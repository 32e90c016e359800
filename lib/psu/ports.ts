import type { Config } from "@/lib/config";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { Identified } from "@/lib/domain/identity-provider";
import type { Ports } from "@/lib/domain/ports";
import type { SessionLimits } from "@/lib/domain/sign-in";
import type { TppBlocks } from "@/lib/domain/tpp-blocks";
import type { AuthorisationId, PsuId, TppId } from "@/lib/domain/values";
import { log } from "@/lib/log";
import type { Language } from "./texts/formats";

/** An authorisation request that waits for its PSU, as the authorisation server keeps it. */
export type Interaction = {
  readonly uid: string;
  readonly clientId: string;
  readonly kind: ResourceKind;
  readonly resourceId: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly uiLocales?: string | undefined;
};

/** What the pages need of the authorisation server. */
type Interactions = {
  /** Undefined when it is unknown, over, or not this browser's. */
  readonly read: (uid: string, cookieHeader: string) => Promise<Interaction | undefined>;
  /**
   * Keeps that the PSU has agreed; returns the URL at which the browser fetches the TPP's code, or undefined when what was
   * authorised is no longer valid. Idempotent.
   */
  readonly accept: (
    interaction: Interaction,
    cookieHeader: string,
    accepted: { readonly authorisationId: AuthorisationId },
  ) => Promise<string | undefined>;
  /** Ends the interaction; there will be no code. Idempotent. */
  readonly refuse: (uid: string, cookieHeader: string) => Promise<void>;
};

/** Rows of signed-in PSUs. Only the SHA-256 of a session's id is kept. */
export type PsuSessionStore = {
  readonly open: (idHash: string, psuId: PsuId, now: Date) => Promise<void>;
  /** One conditional update: moves the last activity on, unless a limit is passed already. */
  readonly touch: (idHash: string, limits: SessionLimits, now: Date) => Promise<PsuId | undefined>;
  /** The same without counting as activity. */
  readonly find: PsuSessionStore["touch"];
  readonly revoke: (idHash: string, now: Date) => Promise<void>;
};

/** Lacks what was asked for, or proves nothing at all. */
export type Shortfall = "acr-too-low" | "not-proved";
type Wanted = "login" | "sca";

export type ApprovalDetails = {
  readonly text: string;
  readonly hash: string;
  readonly reference: string;
};

/** The bank's OpenID Connect provider; lib/identity/identity-provider. */
export type IdentityProvider = {
  readonly ca: string | undefined;
  readonly privateJwk: Promise<Readonly<Record<string, unknown>>> | undefined;
  readonly publicKeys: () => Promise<{ readonly keys: readonly unknown[] } | undefined>;
  readonly requestAt: (url: string) => Promise<string | undefined>;
  readonly parameters: (asked: {
    readonly wanted: Wanted;
    readonly fresh: boolean;
    readonly language: Language;
    readonly details?: ApprovalDetails | undefined;
    readonly hint?: string | undefined;
  }) => Readonly<Record<string, string>>;
  readonly judge: (
    claims: unknown,
    idToken: string,
    expected: { readonly wanted: Wanted; readonly since: Date; readonly fresh: boolean },
  ) => Identified | Shortfall;
};

/** The domain's ports and the few of the pages' own. */
export type PsuServices = Ports & {
  readonly config: Config;
  readonly interactions: Interactions;
  readonly psuSessions: PsuSessionStore;
  readonly tppBlocks: Pick<TppBlocks, "noticesFor">;
  /** Where customers sign in or confirm at the bank's own provider. */
  readonly identityProvider?: IdentityProvider | undefined;
  /** In a sandbox: whether this user ID, as it was typed, may sign in at the pages of this TPP. */
  readonly admitsUserId?: (tppId: TppId, userId: string) => Promise<boolean>;
};

/**
 * A fault of ours. Its message stays out of the log: a failed query's message repeats the values it
 * was made with, and those are the PSU's.
 */
export function logFault(where: string, error: unknown): void {
  const known = error instanceof Error;
  const stack = known ? error.stack?.match(/^ +at .*$/gm)?.slice(0, 8) : undefined;
  const fault = known ? error.name : typeof error;
  log.error({ where, fault, cause: causeOf(error), stack }, "fault");
}

/** The system's or PostgreSQL's own code, e.g. `ECONNREFUSED` or `23505`. */
function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  return "code" in cause ? String(cause.code) : causeOf(cause);
}
