import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { Ended, Texts } from "./texts";

const nothingHappened: Readonly<Record<ResourceKind, (ended: Ended) => string>> = {
  AIS: ({ tpp }) => `Nothing is shared with ${tpp}.`,
  PIIS: ({ tpp }) => `Nothing is shared with ${tpp}.`,
  PIS: () => "Nothing was paid.",
};

const nothing = (ended: Ended) => nothingHappened[ended.kind](ended);
const startAgain = ({ tpp }: Ended) => `You can start again at ${tpp}.`;

/** Pages from which only the way back is left. */
export const englishEnds: Texts["ends"] = {
  "nothing-to-share": {
    heading: "There is nothing to share",
    lead: ({ tpp, bankName }) =>
      `You have no payment account with ${bankName}, and savings and loans are not shared this way. ${tpp} has received nothing. Cancel leads back to ${tpp}.`,
  },
  "already-confirmed": {
    heading: "You have already confirmed this request",
    lead: ({ tpp }) => `It was confirmed in another window. ${tpp} has your answer.`,
  },
  "no-longer-valid": {
    heading: "What you confirmed has ended",
    lead: ({ tpp }) =>
      `You confirmed this request, and since then it was ended or has run out. ${tpp} can do nothing more with it.`,
  },
  refused: {
    heading: "This request was refused",
    lead: (ended) => `${nothing(ended)} ${startAgain(ended)}`,
  },
  "too-many-tries": {
    heading: "Too many wrong tries",
    lead: (ended) =>
      `To protect you, this request was refused. ${nothing(ended)} ${startAgain(ended)}`,
  },
  blocked: {
    heading: "Signing in is blocked for now",
    lead: (ended) =>
      `There were too many wrong tries in a row with this user ID. ${nothing(ended)} To protect its owner, nobody can use it for at least ${ended.blockMinutes} minutes. Start again at ${ended.tpp} after that, or sign in at the bank itself with your passkey. If it still does not work, or if the tries were not yours, call ${ended.bankName}.`,
  },
  expired: {
    heading: "The time for this request is over",
    lead: (ended) => `${nothing(ended)} ${startAgain(ended)}`,
  },
  withdrawn: {
    heading: "This request was withdrawn",
    lead: (ended) => `${ended.tpp} no longer asks for this. ${nothing(ended)}`,
  },
  "not-your-account": {
    heading: "This account is none of yours",
    lead: (ended) =>
      `The account that ${ended.tpp} has named is none of your payment accounts here. ${nothing(ended)} You can start again at ${ended.tpp} with another account.`,
  },
  "account-gone": {
    heading: "This request can no longer be confirmed",
    lead: (ended) =>
      `The account is no longer open to you, or what you were about to confirm has changed. ${nothing(ended)}`,
  },
  "tpp-blocked": {
    heading: "This request was stopped",
    lead: (ended) =>
      `${ended.bankName} does not accept requests from ${ended.tpp} now. ${nothing(ended)} Call ${ended.bankName} to learn more.`,
  },
  "account-blocked": {
    heading: "Your account is blocked",
    lead: (ended) =>
      `No payment can leave it, so the bank refused this one. ${nothing(ended)} Call ${ended.bankName} to learn more.`,
  },
  "above-your-limit": {
    heading: "This payment is above your limit",
    lead: (ended) =>
      `It is more than the limit for one payment that you have set with ${ended.bankName}, so the bank refused it. ${nothing(ended)} You can change your limit, or start again at ${ended.tpp} with a smaller amount.`,
  },
  "above-day-limit": {
    heading: "This payment is above your limit for today",
    lead: (ended) =>
      `With what you have sent today it would be too much, so the bank refused it. ${nothing(ended)} You can start again at ${ended.tpp} with a smaller amount, or tomorrow.`,
  },
};
