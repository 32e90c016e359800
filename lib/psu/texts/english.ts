import type { AccessRights } from "@/lib/domain/consent/access-request";
import { englishCode, englishFunds, englishPayment, englishTpp } from "./english-confirm";
import { englishEnds } from "./english-ends";
import { formats } from "./english-formats";
import { englishMessage } from "./english-message";
import { englishOutcomes } from "./english-outcomes";
import { englishPasskey, englishPasskeys } from "./english-passkeys";
import { englishPermissions } from "./english-permissions";
import { englishSignIn } from "./english-sign-in";
import { englishTimeLimit } from "./english-time-limit";
import { day, dayAndTime, listed, quoted, time } from "./formats";
import type { Texts } from "./texts";

const data = ({ balances, transactions, ownerName }: AccessRights) =>
  listed(formats, [
    "account details",
    ...(ownerName ? ["the owner’s name"] : []),
    ...(balances ? ["balances"] : []),
    ...(transactions ? ["transactions"] : []),
  ]);

const accounts = (count: number) => (count === 1 ? "1 account" : `${count} accounts`);
const times = (count: number) => (count === 1 ? "once" : `${count} times`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const english: Texts = {
  lang: "en",
  quoted: (name) => quoted(formats, name),
  title: (heading, bankName) => `${heading} - ${bankName}`,
  errorTitle: (title) => `Error: ${title}`,
  frame: {
    place: "Online banking",
    language: "Language of this page",
    request: {
      AIS: (tpp) => `${tpp} asks for account information`,
      PIIS: (tpp) => `${tpp} asks for confirmation of funds`,
      PIS: (tpp) => `${tpp} asks for a payment`,
    },
    step: (step, steps) => `Step ${step} of ${steps}`,
    errorSummary: "There is a problem",
    errorPrefix: "Error:",
    cancel: "Cancel",
    backTo: (tpp) => `Back to ${tpp}`,
    openUntil: (instant, timeZone) =>
      `You can finish this request until ${time(formats, instant, timeZone)} (bank time).`,
    inactivity: (minutes) => `After ${minutes} minutes without activity you sign in again.`,
    phishing: (bankName) =>
      `${bankName} never asks for your password or a code by phone or by email.`,
    sandbox: "This is a sandbox. No real bank, no real money.",
    sandboxPeople: "Demo customers and passwords (new tab)",
    sandboxPhone: "Open the sandbox phone (new tab)",
    clockMoved: (now, timeZone) =>
      `The sandbox’s clock is moved: it is ${dayAndTime(formats, now, timeZone)}.`,
  },
  login: {
    heading: (bankName) => `Sign in to ${bankName}`,
    lead: {
      AIS: (tpp) => `Then you choose which accounts ${tpp} may read.`,
      PIIS: (tpp) => `Then you see what ${tpp} may ask, and confirm it with a code.`,
      PIS: () => "Then you see the payment and confirm it with a code.",
    },
    userId: "User ID",
    password: "Password",
    submit: "Continue",
  },
  loginAgain: {
    heading: "Sign in again",
    lead: "You are no longer signed in, for example because nothing happened for a while. Sign in, and you go on where you were.",
  },
  notYours: {
    heading: "This request is not yours",
    lead: "Somebody else has begun it. Only the person who signed in first can go on: sign in as that person, or cancel.",
  },
  accounts: {
    heading: "Choose the accounts to share",
    lead: (tpp, rights) => `${tpp} can read ${data(rights)} of the accounts you choose.`,
    legend: "Your payment accounts",
    all: "Select all",
    allHint: "Shares every account in this list, ticked or not.",
    blocked: "Blocked",
    submit: "Continue",
  },
  summary: {
    heading: (tpp, count) => `Share ${accounts(count)} with ${tpp}`,
    data: "Data",
    dataIn: (rights) => capital(data(rights)),
    transactions: (days, minutes) =>
      `Transactions show what you spend and earn, and with whom: the last ${days} days, and in the first ${minutes} minutes also older ones.`,
    accounts: "Accounts",
    onlyData: (rights) => `Only ${data(rights)}`,
    change: "Change accounts",
    until: "Until",
    untilDay: (date) => day(formats, date),
    untilOneOff: (minutes) => `Ends ${minutes} minutes after you confirm`,
    howOften: "How often",
    perDay: (tpp, count) =>
      `Repeatedly: whenever you use ${tpp}, and up to ${times(count)} in 24 hours without you`,
    oneOff: (tpp) => `One time only: while you use ${tpp}, and once without you`,
    consequences: (tpp, bankName, recurring) =>
      recurring
        ? `${tpp} can only read: it cannot make payments. This takes the place of earlier repeated access you gave ${tpp}. You can end it at any time with ${bankName} or with ${tpp}.`
        : `${tpp} can only read: it cannot make payments. You can end it at any time with ${bankName} or with ${tpp}.`,
  },
  payment: englishPayment,
  funds: englishFunds,
  tpp: englishTpp,
  code: englishCode,
  codeMessage: englishMessage,
  ends: englishEnds,
  alone: {
    gone: {
      heading: "This page is no longer open",
      lead: "The request was answered already, its time is over, or it was begun in another browser. Go back to the app or website you came from and start again there.",
    },
    "unknown-client": {
      heading: "We do not know who sent you here",
      lead: "The app or website that sent you here has not introduced itself to the bank. Nothing was shared or paid. Go back to it and tell its operator.",
    },
    "wrong-redirect-uri": {
      heading: "We cannot lead you back safely",
      lead: "The app or website that sent you here named a return address that does not belong to this request. Nothing was shared or paid. Go back to it and tell its operator.",
    },
    fault: {
      heading: "Something went wrong on our side",
      lead: "Please try again in a moment. Nothing is shared or paid unless you confirm it with a code.",
    },
    unavailable: {
      heading: "We cannot answer at the moment",
      lead: "Please try again in a moment. If you have just confirmed something, you will see then whether it was done; nothing is done twice.",
    },
    "not-found": {
      heading: "Page not found",
      lead: "There is nothing at this address. If you came from an app or website, go back to it and start again there.",
    },
    "nothing-here": {
      heading: "Nothing to do here",
      lead: "Who comes here is sent by an app or website that asks for access to accounts. Start there.",
    },
  },
  signIn: englishSignIn,
  permissions: englishPermissions,
  passkey: englishPasskey,
  passkeys: englishPasskeys,
  timeLimit: englishTimeLimit,
  leaving: (tpp) => ({
    heading: `Taking you back to ${tpp}`,
    lead: "You are done here. If nothing happens in a moment, continue with the link.",
  }),
  continueTo: (tpp) => `Continue to ${tpp}`,
  tryAgain: "Try again",
  outcomes: englishOutcomes,
};
