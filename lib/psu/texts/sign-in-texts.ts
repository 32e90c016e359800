import type { BlockNotice } from "@/lib/domain/sca/psu-attempts";
import type { SignInWording } from "@/lib/domain/sign-in/sign-in-code";
import type { OwnOutcomeName } from "../own-channel/outcome";
import type { Notice } from "./texts";

export type OwnOutcomePlace =
  | "user-id"
  | "password"
  | "code"
  | "passkey"
  | "passkey-name"
  | "page"
  | "good-news";

type OwnOutcomeText = {
  readonly place: OwnOutcomePlace;
  /** `left`: tries, or seconds to wait. */
  readonly text: (left: number | undefined) => string;
};

/** Signing in to the bank's own channel, and out of it. */
export type SignInTexts = {
  readonly heading: (bankName: string) => string;
  readonly lead: string;
  readonly again: Notice;
  readonly codeHeading: string;
  /** By which the PSU knows the text message. */
  readonly reference: (reference: string) => string;
  readonly noCode: string;
  readonly submit: string;
  readonly startAgain: string;
  readonly codeMessage: (bankName: string) => SignInWording;
  /** Text messages to the customer. */
  readonly blockNotices: Readonly<
    Record<BlockNotice, (blockMinutes: number, bankName: string) => string>
  >;
  readonly unlock: { readonly hint: string; readonly submit: string; readonly cancelled: string };
  readonly blocked: (minutes: number, bankName: string) => string;
  readonly outcomes: Readonly<Record<Exclude<OwnOutcomeName, "blocked">, OwnOutcomeText>>;
  readonly signOut: string;
  readonly signedOut: Notice;
  readonly stillSignedIn: Notice;
  readonly signInAgain: string;
  readonly inactivity: (minutes: number) => string;
};
