import type { ReadKind } from "@/lib/domain/account-access";
import type { AccessRights } from "@/lib/domain/accounts";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { ChargeBearer, PaymentProduct } from "@/lib/domain/bank-profile";
import type { CodeWording } from "@/lib/domain/dynamic-linking";
import type { PermissionKind, PermissionState } from "@/lib/domain/permissions";
import type { BlockNotice } from "@/lib/domain/psu-attempts";
import type { SignInWording } from "@/lib/domain/sign-in";
import type { IsoDate, Money } from "@/lib/domain/values";
import type { WarningStep } from "../browser/time-left";
import type { OutcomeName, OwnOutcomeName } from "../outcome";
import type { EndedReason, EndPage } from "../pages";
import type { Language, QuotedName } from "./formats";

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

export type TppTexts = {
  readonly who: string;
  readonly registration: (id: string) => string;
  readonly authority: (name: string, id: string) => string;
};

export type CodeTexts = {
  readonly heading: string;
  readonly label: string;
  readonly hint: (digits: number, sentAt: Date, timeZone: string) => string;
  readonly expired: string;
  readonly noMore: string;
  readonly newCode: string;
  readonly submit: string;
  /** Before the first code, where none went with the login. */
  readonly firstHeading: string;
  readonly firstHint: string;
  readonly sendFirst: string;
};

/** What would be paid. Every amount is exact. */
export type PaymentTexts = {
  readonly heading: (amount: Money, payee: QuotedName) => string;
  readonly amount: string;
  readonly money: (amount: Money) => string;
  readonly payee: string;
  readonly bic: (bic: string) => string;
  readonly address: (lines: readonly string[], country: string) => string;
  readonly message: string;
  readonly reference: string;
  readonly from: string;
  readonly debited: string;
  readonly converted: (amount: Money) => string;
  readonly fees: string;
  readonly noFee: string;
  /** In the tariff's currency, and as it is debited when that is another. */
  readonly fee: (tariff: Money, debited: Money) => string;
  /** Where the order lets the charges be shared out; undefined where there is nothing to say. */
  readonly charges: Readonly<Record<ChargeBearer, string | undefined>>;
  readonly execution: string;
  readonly executed: Readonly<Record<PaymentProduct, string>>;
  readonly consequences: string;
};

/** What a card's issuer may ask. */
export type FundsTexts = {
  readonly heading: (tpp: QuotedName) => string;
  readonly account: string;
  readonly issuer: string;
  readonly card: string;
  readonly cardEnding: (lastDigits: string) => string;
  readonly noCard: string;
  readonly until: string;
  readonly untilDay: (date: IsoDate) => string;
  readonly untilEnded: string;
  readonly consequences: (tpp: QuotedName, bankName: string) => string;
};

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

/** Using a passkey wherever a code would do. */
export type PasskeyTexts = {
  readonly heading: string;
  readonly hint: string;
  readonly submit: string;
  readonly sendCode: string;
  /** The browser's own prompt was closed, or nothing came of it. */
  readonly cancelled: string;
};

/** The page of one's own passkeys. */
export type PasskeysTexts = {
  readonly heading: string;
  readonly lead: string;
  readonly none: string;
  readonly added: (date: IsoDate) => string;
  readonly lastUsed: (date: IsoDate) => string;
  readonly neverUsed: string;
  readonly remove: string;
  readonly addHeading: string;
  readonly name: string;
  readonly nameHint: string;
  readonly add: string;
  readonly needsJavaScript: string;
  /** Before adding one. */
  readonly signInFirst: (minutes: number) => string;
  readonly noMore: (passkeysMax: number) => string;
  /** Nothing came of the browser's own prompt. */
  readonly cancelled: string;
  readonly removing: (name: string) => Notice;
  readonly removeSubmit: string;
  readonly keep: string;
  /** To the phone, whoever has added it. */
  readonly addedMessage: (bankName: string) => string;
  readonly removedMessage: (bankName: string) => string;
  readonly toPermissions: string;
};

/** Where the PSU sees what was shared, and ends it. */
export type PermissionsTexts = {
  readonly heading: string;
  readonly lead: string;
  readonly inForce: string;
  readonly past: string;
  readonly noneInForce: string;
  readonly nonePast: string;
  readonly newer: string;
  readonly older: string;
  readonly toList: string;
  readonly download: string;
  readonly downloadHistory: string;
  readonly details: string;
  readonly kinds: Readonly<Record<PermissionKind, string>>;
  /** The heading of one, as its page has it. */
  readonly one: Readonly<Record<PermissionKind, (tpp: QuotedName) => string>>;
  readonly states: Readonly<Record<PermissionState, string>>;
  readonly labels: {
    readonly tpp: string;
    readonly registration: string;
    readonly kind: string;
    readonly status: string;
    readonly data: string;
    readonly accounts: string;
    readonly since: string;
    readonly requested: string;
    readonly until: string;
    readonly ended: string;
    readonly howOften: string;
    readonly lastRead: string;
    readonly amount: string;
    readonly payee: string;
    readonly message: string;
    readonly from: string;
  };
  readonly instant: (instant: Date, timeZone: string) => string;
  readonly day: (date: IsoDate) => string;
  readonly money: (amount: Money) => string;
  readonly neverRead: string;
  readonly noAccounts: string;
  readonly fundsData: string;
  readonly fundsOften: string;
  readonly untilEnded: string;
  readonly history: {
    readonly heading: string;
    readonly lead: (days: number) => string;
    readonly none: string;
    readonly when: string;
    readonly what: string;
    readonly account: string;
    readonly how: string;
    readonly everyAccount: string;
    readonly attended: string;
    readonly unattended: string;
    readonly reads: Readonly<Record<ReadKind, string>>;
    readonly newest: string;
    readonly older: string;
  };
  readonly revoke: {
    readonly begin: string;
    readonly heading: (tpp: QuotedName) => string;
    readonly lead: Readonly<Record<"accounts" | "funds", (tpp: QuotedName) => string>>;
    readonly submit: string;
    readonly keep: string;
  };
};

/** Before a time limit ends, and after. */
export type TimeLimitTexts = {
  readonly more: string;
  readonly signedInLeft: Readonly<Record<WarningStep, string>>;
  readonly openLeft: Readonly<Record<WarningStep, string>>;
  readonly extended: string;
  readonly failed: string;
  readonly signedOut: (minutes: number) => string;
  readonly signInAgain: string;
  readonly closed: string;
};

type Common =
  | "user-id-missing"
  | "password-missing"
  | "credentials-missing"
  | "wrong-credentials"
  | "too-soon"
  | "busy"
  | "code-missing"
  | "code-malformed"
  | "wrong-code"
  | "code-expired"
  | "passkey-missing"
  | "too-many-texts"
  | "new-code-sent"
  | "stale-form"
  | "fault";

type Left = (attempts: number | undefined) => string;

/**
 * By how many tries are left, which each of the two says with its own consequence: wrong passwords block for a
 * time, codes and passkeys in the end for good.
 */
export type CommonAnswers = (left: {
  readonly password: Left;
  readonly second: Left;
}) => Pick<Texts["outcomes"] & SignInTexts["outcomes"], Common>;
