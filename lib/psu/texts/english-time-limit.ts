import type { TimeLimitTexts } from "./time-limit-texts";

const signedIn = (left: string) =>
  `In less than ${left} you will be signed out, because nothing happens here.`;
const open = (left: string) => `In less than ${left} the time for this request is over.`;

export const englishTimeLimit: TimeLimitTexts = {
  more: "I need more time",
  signedInLeft: {
    60: signedIn("a minute"),
    30: signedIn("30 seconds"),
    10: signedIn("10 seconds"),
  },
  openLeft: { 60: open("a minute"), 30: open("30 seconds"), 10: open("10 seconds") },
  extended: "You have more time.",
  failed: "That did not work. Please try again.",
  signedOut: (minutes) =>
    `You are signed out, because nothing happened for ${minutes} minutes. What you have not sent was not taken.`,
  signInAgain: "Sign in again",
  closed: "The time for this request is over. Nothing was shared or paid.",
};
