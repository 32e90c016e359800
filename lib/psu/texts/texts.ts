import type { AccessRights } from "@/lib/domain/consent/access-request";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { EndedReason } from "../ended-reason";
import type { OutcomeName } from "../outcome";
import type { EndPage } from "../pages";

/** Where an outcome is said: at a field, above the whole page, or as good news. */
export type OutcomePlace = "user-id" | "password" | "accounts" | "code" | "page" | "good-news";

type OutcomeText = {
  readonly place: OutcomePlace;
  readonly text: (attemptsLeft?: number) => string;
};

export type Notice = { readonly heading: string; readonly lead: string };

/** Everything the pages say, in one language. */
export type Texts = {
  readonly lang: string;
  readonly title: (heading: string, bankName: string) => string;
  readonly errorTitle: (title: string) => string;
  readonly frame: {
    readonly place: string;
    readonly request: (tpp: string) => string;
    readonly step: (step: number, steps: number) => string;
    readonly errorSummary: string;
    readonly errorPrefix: string;
    readonly cancel: string;
    readonly backTo: (tpp: string) => string;
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
    readonly lead: (tpp: string) => string;
    readonly userId: string;
    readonly password: string;
    readonly submit: string;
  };
  readonly loginAgain: Notice;
  readonly notYours: Notice;
  readonly accounts: {
    readonly heading: string;
    readonly lead: (tpp: string, rights: AccessRights) => string;
    readonly legend: string;
    readonly all: string;
    readonly allHint: string;
    readonly blocked: string;
    readonly submit: string;
  };
  readonly summary: {
    readonly heading: (tpp: string, accounts: number) => string;
    readonly who: string;
    readonly registration: (id: string) => string;
    readonly authority: (name: string, id: string) => string;
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
    readonly perDay: (tpp: string, frequencyPerDay: number) => string;
    readonly oneOff: (tpp: string) => string;
    readonly consequences: (tpp: string, recurring: boolean) => string;
    readonly codeHeading: string;
    readonly code: string;
    readonly codeHint: (digits: number, sentAt: Date | undefined, timeZone: string) => string;
    readonly codeExpired: string;
    readonly noMoreCodes: string;
    readonly newCode: string;
    readonly submit: string;
  };
  readonly ends: Readonly<
    Record<
      EndPage,
      { readonly heading: string; readonly lead: (tpp: string, bankName: string) => string }
    >
  >;
  /** Pages without an authorisation: there is no TPP to lead back to. */
  readonly alone: Readonly<Record<EndedReason | "not-found", Notice>>;
  readonly leaving: (tpp: string) => Notice;
  readonly continueTo: (tpp: string) => string;
  readonly tryAgain: string;
  readonly outcomes: Readonly<Record<OutcomeName, OutcomeText>>;
};
