import type { Texts } from "./texts";

const left = (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1)
    return " One try is left. If it fails too, the request is refused, and signing in may be blocked.";
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
  "not-delivered": {
    place: "code",
    text: () => "The text message could not be sent. Try to send a new code.",
  },
  "too-many-codes": {
    place: "code",
    text: () => "No more codes can be sent for this request. Enter the last one, or cancel.",
  },
  "new-code-sent": {
    place: "good-news",
    text: () => "A new code was sent. Earlier codes no longer work.",
  },
  "stale-form": {
    place: "page",
    text: () => "The page was out of date, so your answer was not taken. Please answer again.",
  },
  fault: {
    place: "page",
    text: () => "Something went wrong on our side. Please answer again.",
  },
};
