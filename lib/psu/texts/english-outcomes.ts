import { englishAnswers } from "./english-answers";
import type { Texts } from "./texts";

const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  return attempts === 1 ? ` One try is left. ${last}` : ` ${attempts} tries are left.`;
};
const left = tries(
  "If it fails too, the request is refused, and signing in may be blocked: the first time for a while, the next time until you call the bank.",
);
const leftOfPasswords = tries(
  "If it fails too, the request is refused, and signing in may be blocked for a while.",
);

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
export const englishOutcomes: Texts["outcomes"] = {
  ...englishAnswers({ password: leftOfPasswords, second: left }),
  "another-psu": {
    place: "user-id",
    text: () => "This request was begun by somebody else. Sign in as that person, or cancel.",
  },
  "nothing-selected": { place: "accounts", text: () => "Choose at least one account." },
  "not-offered": { place: "accounts", text: () => "Choose from the accounts in this list." },
  "wrong-passkey": {
    place: "passkey",
    text: (attempts) => `This passkey did not confirm what is shown here.${left(attempts)}`,
  },
  "passkey-expired": {
    place: "passkey",
    text: () => "That took too long, so nothing is confirmed. Use your passkey once more.",
  },
  "not-delivered": {
    place: "code",
    text: () =>
      "The text message could not be sent. This is our fault, and it costs you no try. Try again in a moment, or cancel.",
  },
  "too-many-codes": {
    place: "code",
    text: () =>
      "No more codes can be sent for this request. Enter the last one if you have it, or cancel.",
  },
  "time-after-sign-in": { place: "page", text: () => "Sign in first to get more time." },
  "more-time": { place: "good-news", text: () => "You have more time." },
};
