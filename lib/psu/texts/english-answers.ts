import type { CommonAnswers } from "./common-answers";

/** What came of an answer, in the same words for a TPP's request and in the bank's own channel. */
export const englishAnswers: CommonAnswers = (left) => ({
  "user-id-missing": { place: "user-id", text: () => "Enter your user ID." },
  "password-missing": { place: "password", text: () => "Enter your password." },
  "credentials-missing": { place: "user-id", text: () => "Enter your user ID and password." },
  "wrong-credentials": {
    place: "user-id",
    text: (attempts) => `User ID and password do not match.${left.password(attempts)}`,
  },
  "too-soon": {
    place: "page",
    text: (seconds) =>
      `Too many wrong tries came from your network. Nothing was checked. Wait ${waitIn(seconds)}, then try again.`,
  },
  busy: {
    place: "page",
    text: () => "Very many people are signing in right now. Try again in a few seconds.",
  },
  "code-missing": { place: "code", text: () => "Enter the code from the text message." },
  "code-malformed": {
    place: "code",
    text: () => "Enter all digits of the code, and only digits.",
  },
  "wrong-code": { place: "code", text: (attempts) => `The code is wrong.${left.second(attempts)}` },
  "code-expired": {
    place: "code",
    text: () => "The code has run out. Send a new one and enter that.",
  },
  "passkey-missing": {
    place: "passkey",
    text: () => "Your passkey gave no answer. Use it once more, or send a code.",
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
  "stale-form": {
    place: "page",
    text: () => "The page was out of date, so your answer was not taken. Please answer again.",
  },
  fault: {
    place: "page",
    text: () => "Something went wrong on our side. Please answer again.",
  },
});

/** Seconds as they are read: of more than a minute and a half, the minutes. */
function waitIn(seconds = 1): string {
  if (seconds <= 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
