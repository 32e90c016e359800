import { referenceOf } from "@/lib/domain/sign-in";
import { addTime, type PsuId } from "@/lib/domain/values";
import { ownFormToken } from "./form-token";
import { type OwnFrame, ownFrameOf } from "./frame";
import { type OwnOutcome, readOwnOutcome } from "./outcome";
import { ownStep, type SignInPage } from "./pages";
import { ownPath } from "./paths";
import type { OwnVisit } from "./visit";

type Said = OwnFrame & { readonly to: string; readonly outcome: OwnOutcome | undefined };

export type PasswordView = Said & {
  readonly page: "sign-in" | "sign-in-again";
  readonly userId: string | undefined;
  readonly token: string;
  /** Where the user ID is blocked: a passkey lets its owner try. Shown for every user ID, whoever has it. */
  readonly unlock: { readonly token: string; readonly challengeToken: string } | undefined;
};

export type CodeView = Said & {
  readonly page: "code";
  readonly digits: number;
  /** Undefined as long as none has been made. */
  readonly sentAt: Date | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
  readonly reference: string;
  readonly token: string;
  readonly newCodeToken: string;
  /** Of a PSU who has one, and may use it instead. */
  readonly passkey: { readonly token: string; readonly challengeToken: string } | undefined;
  /** In the sandbox: whose phone to look at. */
  readonly phoneOf: string | undefined;
};

/** What the sign-in shows, as plain values; `onward` when there is nothing left to prove. */
export type SignInView =
  | PasswordView
  | CodeView
  | { readonly page: "onward"; readonly location: string };

export async function signInView(visit: OwnVisit, asked: unknown): Promise<SignInView> {
  const to = ownPath(asked);
  const step = ownStep(visit.session.state, "signIn");
  if (step === "code") return codeView(visit, to);
  if (step === "sign-in" || step === "sign-in-again") return passwordView(visit, step, to);
  return { page: "onward", location: to };
}

async function passwordView(
  visit: OwnVisit,
  page: PasswordView["page"],
  to: string,
): Promise<PasswordView> {
  const { house, session } = visit;
  const outcome = await outcomeFor(visit, page);
  const secret = house.config.SESSION_SECRET;
  return {
    ...(await ownFrameOf(visit)),
    page,
    to,
    outcome,
    userId: outcome?.userId,
    token: await ownFormToken({ secret, action: "password", session }),
    unlock: isBlocked(outcome)
      ? {
          token: await ownFormToken({ secret, action: "unlock", session }),
          challengeToken: await ownFormToken({ secret, action: "unlock-challenge", session }),
        }
      : undefined,
  };
}

const unlocking = ["blocked", "blocked-for-good", "not-unlocked"] as const;

function isBlocked(outcome: OwnOutcome | undefined): boolean {
  return unlocking.some((one) => one === outcome?.outcome);
}

async function codeView(visit: OwnVisit, to: string): Promise<SignInView> {
  const { house, session, now } = visit;
  if (session.state !== "password") return { page: "onward", location: to };
  const { config, profile } = house;
  const { challenge, codesSent, psuId } = session.signIn;
  const { codeDigits, codeMinutes, codesSentMax } = profile.sca;
  const expiresAt = challenge?.expiresAt;
  const psu = config.SANDBOX ? await house.psuDirectory.find(psuId) : undefined;
  const form = { secret: config.SESSION_SECRET, session };
  return {
    ...(await ownFrameOf(visit)),
    page: "code",
    to,
    outcome: await outcomeFor(visit, "code"),
    digits: codeDigits,
    sentAt: expiresAt === undefined ? undefined : addTime(expiresAt, -codeMinutes, "minute"),
    expired: expiresAt !== undefined && now >= expiresAt,
    newCodePossible: codesSent < codesSentMax,
    reference: referenceOf(session.signIn.session),
    token: await ownFormToken({ ...form, action: "code" }),
    newCodeToken: await ownFormToken({ ...form, action: "new-code" }),
    passkey: await passkeyOf(visit, psuId),
    phoneOf: psu?.userId,
  };
}

async function passkeyOf({ house, session }: OwnVisit, psuId: PsuId): Promise<CodeView["passkey"]> {
  if ((await house.passkeys.ofPsu(psuId)).length === 0) return undefined;
  const form = { secret: house.config.SESSION_SECRET, session };
  return {
    token: await ownFormToken({ ...form, action: "passkey" }),
    challengeToken: await ownFormToken({ ...form, action: "passkey-challenge" }),
  };
}

function outcomeFor({ house: { config }, cookieHeader }: OwnVisit, page: SignInPage) {
  return readOwnOutcome({ path: "/sign-in", config }, cookieHeader, page);
}
