import type { Texts } from "./texts";

const left = (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1)
    return " One try is left. If it fails too, the request is refused, and signing in may be blocked: the first time for a while, the next time until you call the bank.";
  return ` ${attempts} tries are left.`;
};

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
export const englishOutcomes: Texts["outcomes"] = {
  "user-id-missing": { place: "user-id", text: () => "Enter your user ID." },
  "password-missing": { place: "password", text: () => "Enter your password." },
  "credentials-missing": { place: "user-id", text: () => "Enter your user ID and password." },
  "wrong-credentials": {
    place: "user-id",
    text: (attempts) => `User ID and password do not match.${left(attempts)}`,
  },
  "another-psu": {
    place: "user-id",
    text: () => "This request was begun by somebody else. Sign in as that person, or cancel.",
  },
  "nothing-selected": { place: "accounts", text: () => "Choose at least one account." },
  "not-offered": { place: "accounts", text: () => "Choose from the accounts in this list." },
  "code-missing": { place: "code", text: () => "Enter the code from the text message." },
  "code-malformed": {
    place: "code",
    text: () => "Enter all digits of the code, and only digits.",
  },
  "wrong-code": { place: "code", text: (attempts) => `The code is wrong.${left(attempts)}` },
  "code-expired": {
    place: "code",
    text: () => "The code has run out. Send a new one and enter that.",
  },
  "wrong-passkey": {
    place: "passkey",
    text: (attempts) => `This passkey did not confirm what is shown here.${left(attempts)}`,
  },
  "passkey-expired": {
    place: "passkey",
    text: () => "That took too long, so nothing is confirmed. Use your passkey once more.",
  },
  "passkey-missing": {
    place: "passkey",
    text: () => "Your passkey gave no answer. Use it once more, or send a code.",
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
  "too-many-texts": {
    place: "page",
    text: () =>
      "So many codes went to your phone in the last hour that no more are sent for now. Try again later, or use a passkey if you have one. If it was not you who asked for them, somebody may know your password: call the bank.",
  },
  "new-code-sent": {
    place: "good-news",
    text: () => "A new code was sent. Earlier codes no longer work.",
  },
  "more-time": { place: "good-news", text: () => "You have more time." },
  "stale-form": {
    place: "page",
    text: () => "The page was out of date, so your answer was not taken. Please answer again.",
  },
  fault: {
    place: "page",
    text: () => "Something went wrong on our side. Please answer again.",
  },
};
