import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { CodeWording } from "@/lib/domain/sca/code-message";
import type { EndPage } from "../end-pages";
import type { EndedReason } from "../ended-reason";
import type { OutcomeName } from "../outcome";
import type { CodeTexts, FundsTexts, PaymentTexts, TppTexts } from "./confirm-texts";
import type { QuotedName } from "./formats";
import type { Language } from "./language";
import type { PasskeysTexts, PasskeyTexts } from "./passkey-texts";
import type { PermissionsTexts } from "./permissions-texts";
import type { SignInTexts } from "./sign-in-texts";
import type { TimeLimitTexts } from "./time-limit-texts";

/** Where an outcome is said: at a field, above the whole page, or as good news. */
export type OutcomePlace =
  | "user-id"
  | "password"
  | "accounts"
  | "code"
  | "passkey"
  | "page"
  | "good-news";

type OutcomeText = {
  readonly place: OutcomePlace;
  /** `left`: tries, or seconds to wait. */
  readonly text: (left?: number) => string;
};

export type Notice = { readonly heading: string; readonly lead: string };

/** What came to an end, as far as its page speaks of it. */
export type Ended = {
  readonly kind: ResourceKind;
  readonly tpp: QuotedName;
  readonly bankName: string;
  /** How long a user ID stays blocked. */
  readonly blockMinutes: number;
};

type ByKind<Text> = Readonly<Record<ResourceKind, Text>>;

type StandingAlone = EndedReason | "unavailable" | "not-found" | "nothing-here";

/** Everything the pages say, in one language. */
export type Texts = {
  readonly lang: Language;
  /** Takes a name as names-on-pages has it. */
  readonly quoted: (name: string) => QuotedName;
  readonly title: (heading: string, bankName: string) => string;
  readonly errorTitle: (title: string) => string;
  readonly frame: {
    readonly place: string;
    /** Of the forms that switch it. */
    readonly language: string;
    readonly request: ByKind<(tpp: QuotedName) => string>;
    readonly step: (step: number, steps: number) => string;
    readonly errorSummary: string;
    readonly errorPrefix: string;
    readonly cancel: string;
    readonly backTo: (tpp: QuotedName) => string;
    readonly openUntil: (instant: Date, timeZone: string) => string;
    readonly inactivity: (minutes: number) => string;
    readonly phishing: (bankName: string) => string;
    readonly sandbox: string;
    readonly sandboxPeople: string;
    readonly sandboxPhone: string;
    readonly clockMoved: (now: Date, timeZone: string) => string;
  };
  readonly login: {
    readonly heading: (bankName: string) => string;
    readonly lead: ByKind<(tpp: QuotedName) => string>;
    readonly userId: string;
    readonly password: string;
    readonly submit: string;
  };
  readonly loginAgain: Notice;
  readonly notYours: Notice;
  readonly accounts: {
    readonly heading: string;
    readonly lead: (tpp: QuotedName, rights: AccessRights) => string;
    readonly legend: string;
    readonly all: string;
    readonly allHint: string;
    readonly blocked: string;
    readonly submit: string;
  };
  readonly summary: {
    readonly heading: (tpp: QuotedName, accounts: number) => string;
    readonly data: string;
    readonly dataIn: (rights: AccessRights) => string;
    readonly transactions: (historyDays: number, unlimitedMinutes: number) => string;
    readonly accounts: string;
    readonly onlyData: (rights: AccessRights) => string;
    readonly change: string;
    readonly until: string;
    readonly untilDay: (date: IsoDate) => string;
    readonly untilOneOff: (minutes: number) => string;
    readonly howOften: string;
    readonly perDay: (tpp: QuotedName, frequencyPerDay: number) => string;
    readonly oneOff: (tpp: QuotedName) => string;
    readonly consequences: (tpp: QuotedName, bankName: string, recurring: boolean) => string;
  };
  readonly payment: PaymentTexts;
  readonly funds: FundsTexts;
  /** Who asks. */
  readonly tpp: TppTexts;
  /** The code under all that is confirmed with it. */
  readonly code: CodeTexts;
  /** On the phone. */
  readonly codeMessage: CodeWording;
  readonly ends: Readonly<
    Record<EndPage, { readonly heading: string; readonly lead: (ended: Ended) => string }>
  >;
  /** Pages without an authorisation: there is no TPP to lead back to. */
  readonly alone: Readonly<Record<StandingAlone, Notice>>;
  /** The bank's own channel. */
  readonly signIn: SignInTexts;
  readonly permissions: PermissionsTexts;
  readonly passkey: PasskeyTexts;
  readonly passkeys: PasskeysTexts;
  readonly timeLimit: TimeLimitTexts;
  readonly leaving: (tpp: QuotedName) => Notice;
  readonly continueTo: (tpp: QuotedName) => string;
  readonly tryAgain: string;
  readonly outcomes: Readonly<Record<OutcomeName, OutcomeText>>;
};
