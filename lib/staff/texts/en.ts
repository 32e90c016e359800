import type { StaffRole } from "@/lib/domain/staff";
import type { Money } from "@/lib/domain/values";
import { day, dayAndTime, type Language, money } from "@/lib/psu/texts/formats";
import type { Said } from "../forms";
import { englishCases } from "./en-cases";
import { englishCounted, englishHealth, englishKeys, englishStatistics } from "./en-statistics";
import { englishTpps } from "./en-tpps";

const formats = {
  locale: "en-GB",
  and: "and",
  quotes: ["“", "”"],
  messageQuotes: ['"', '"'],
} as const;

const roles: Readonly<Record<StaffRole, string>> = {
  viewer: "viewer",
  support: "support",
  approver: "approver",
  auditor: "auditor",
};

const said: Readonly<Record<Said, string>> = {
  "signed-out": "You have signed out.",
  "wrong-credentials": "User or password is not right.",
  "provider-unavailable": "The sign-in does not answer at the moment. Try again.",
  "not-proved": "The sign-in was not completed. Try again.",
  "no-role": "You have signed in, but you have no role in this console. Ask for one.",
  "stale-form": "This page was open for too long. Nothing has been done; try again.",
  "reason-missing": "Give a reason. Nothing has been done.",
  "not-found": "Nothing was found.",
  fault: "Something went wrong on our side. Look first whether it was done, then try again.",
  ended: "The permission has ended.",
  "not-ended": "There was nothing to end: the permission has ended already.",
  unlocked: "The customer can sign in again.",
  "request-made": "The request has been sent. Another person has to approve it.",
  "request-approved": "Approved: it holds from now on. The report to the authority is ready.",
  "request-refused": "The request has been refused.",
  "request-withdrawn": "The request has been withdrawn.",
  "open-already": "A request for this TPP is open already. Nothing has been done.",
  "decided-already": "This has been decided already.",
  "own-request": "Nobody approves or refuses a request of their own. Nothing has been done.",
  "not-own-request": "Only who has made a request withdraws it. Nothing has been done.",
  "over-already": "The block would be over already. Nothing has been done.",
  "basis-wrong": "Choose a legal basis. Nothing has been done.",
  "until-wrong": "Choose a day that is not over, or none. Nothing has been done.",
  "secrecy-reason-missing": "Say why the customers are not told. Nothing has been done.",
};

/** Everything that the staff console says. */
export const english = {
  lang: "en" as Language,
  title: (heading: string, bankName: string) => `${heading} - Staff console - ${bankName}`,
  errorTitle: (title: string) => `Error: ${title}`,
  money: (amount: Money) => money(formats, amount),
  instant: (at: Date, timeZone: string) => dayAndTime(formats, at, timeZone),
  day: (date: Parameters<typeof day>[1]) => day(formats, date),
  frame: {
    place: "Staff console",
    language: "Language of this page",
    errorSummary: "There is a problem",
    navigation: "Pages of the console",
    signedInAs: (name: string, of: readonly StaffRole[]) =>
      `${name} (${of.map((role) => roles[role]).join(", ")})`,
    signOut: "Sign out",
    limits: (staff: { readonly inactivityMinutes: number; readonly sessionMinutes: number }) =>
      `You sign in again after ${staff.inactivityMinutes} minutes without activity, and after ${staff.sessionMinutes / 60} hours in any case. What you look at and do here is on record.`,
  },
  navigation: {
    home: "Start",
    search: "Search",
    tpps: "TPPs",
    blocks: "Four eyes",
    statistics: "Statistics",
    health: "Health",
    keys: "Keys",
    events: "Events",
  },
  said,
  events: {
    heading: "Events",
    lead: "What was recorded in an hour, and in that order. Nobody can change it unseen: npm run bank -- events verify compares it with the seals.",
    day: "Day",
    hour: "Hour (UTC)",
    everyKind: "All kinds",
    next: "What follows in this hour",
    columns: {
      recordedAt: "Recorded at",
      kind: "Kind",
      actor: "By",
      tppId: "TPP",
      about: "About",
      detail: "Detail",
    },
  },
  table: {
    filter: "Filter",
    apply: "Apply",
    csv: "Download as CSV",
    none: "There is nothing to show.",
  },
  signIn: {
    heading: "Sign in",
    lead: "This console is for the bank’s staff.",
    provider: (bankName: string) => `Sign in with ${bankName}`,
    operator: "User",
    password: "Password",
    submit: "Sign in",
    demo: "Operators of this sandbox",
  },
  home: {
    heading: "Start",
    lead: "Choose a page above. Which ones there are follows from your roles.",
  },
  alone: {
    forbidden: {
      heading: "Your role does not allow this",
      lead: "The page or the action needs another role. That you have tried is on record.",
    },
    "not-found": { heading: "Page not found", lead: "There is nothing at this address." },
    fault: {
      heading: "Something went wrong on our side",
      lead: "Try again in a moment.",
    },
  },
  toStart: "To the start",
  cases: englishCases,
  tpps: englishTpps,
  counted: englishCounted,
  statistics: englishStatistics,
  health: englishHealth,
  keys: englishKeys,
};

export type StaffTexts = typeof english;
