import { englishAnswers } from "./english-answers";
import type { SignInTexts } from "./sign-in-texts";

const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  return attempts === 1 ? ` One try is left. ${last}` : ` ${attempts} tries are left.`;
};
const left = tries(
  "If it fails too, signing in is blocked: the first time for a while, the next time until you call the bank.",
);
const leftOfPasswords = tries("If it fails too, signing in is blocked for a while.");

export const englishSignIn: SignInTexts = {
  heading: (bankName) => `Sign in to ${bankName}`,
  lead: "Then you confirm with a code from your phone.",
  again: {
    heading: "Sign in again",
    lead: "You are no longer signed in, for example because nothing happened for a while.",
  },
  codeHeading: "Enter the code to sign in",
  reference: (reference) => `The text message has the reference ${reference}.`,
  noCode: "No code has been sent yet.",
  submit: "Sign in",
  startAgain: "Start again",
  codeMessage:
    (bankName) =>
    ({ code, reference }) =>
      `${code} is your code to sign in to ${bankName} and see your permissions. Reference ${reference}. Never tell it to anybody.`,
  blockNotices: {
    blocked: (minutes, bankName) =>
      `${bankName}: after too many wrong tries signing in with your user ID is blocked for ${minutes} minutes. If the tries were not yours, call the bank.`,
    warned: (_minutes, bankName) =>
      `${bankName}: somebody who knows your password has entered wrong codes. After more of them signing in stays blocked until you call the bank. If it was not you, call at once.`,
    "blocked-for-good": (_minutes, bankName) =>
      `${bankName}: after too many wrong codes signing in is blocked until you call the bank or use your passkey.`,
  },
  unlock: {
    hint: "Do you have a passkey? With it you can sign in now, although the user ID is blocked. In a browser without passkeys, wait or call the bank.",
    submit: "Unlock with your passkey",
    cancelled: "No passkey was used, and nothing has changed.",
  },
  blocked: (minutes, bankName) =>
    `After too many wrong answers signing in is blocked. Try again in ${minutes} minutes; if it is still blocked then, ask ${bankName}.`,
  outcomes: {
    ...englishAnswers({ password: leftOfPasswords, second: left }),
    "blocked-for-good": {
      place: "user-id",
      text: () =>
        "After too many wrong codes signing in is blocked until you call the bank. If you have a passkey, it lifts the block.",
    },
    unlocked: {
      place: "good-news",
      text: () => "Your passkey was recognised. Sign in now.",
    },
    "not-unlocked": {
      place: "page",
      text: () => "The passkey was not recognised, and nothing has changed.",
    },
    "not-delivered": {
      place: "code",
      text: () => "The text message could not be sent. Try to send a new code.",
    },
    "too-many-codes": {
      place: "code",
      text: () => "No more codes can be sent. Enter the last one, or start again.",
    },
    "wrong-passkey": {
      place: "passkey",
      text: (attempts) => `This passkey did not sign you in.${left(attempts)}`,
    },
    "passkey-expired": {
      place: "passkey",
      text: () => "That took too long, so you are not signed in. Use your passkey once more.",
    },
    "passkey-added": { place: "good-news", text: () => "Your passkey was added." },
    "passkey-removed": {
      place: "good-news",
      text: () => "The passkey was removed. Nothing can be confirmed with it any more.",
    },
    "passkey-name-missing": {
      place: "passkey-name",
      text: () => "Give the passkey a name of up to 40 characters.",
    },
    "not-understood": {
      place: "page",
      text: () => "The passkey was not added: the browser’s answer came too late or does not fit.",
    },
    "known-already": {
      place: "page",
      text: () => "The passkey was not added: the bank has met it before. Make a new one.",
    },
    "too-many-passkeys": {
      place: "page",
      text: () =>
        "The passkey was not added: you have, or have made since yesterday, as many as there may be.",
    },
    revoked: {
      place: "good-news",
      text: () => "The permission has ended. From now on nothing can be read with it.",
    },
    "not-revoked": {
      place: "page",
      text: () => "There was nothing to end: this permission is not in force any more.",
    },
  },
  signOut: "Sign out",
  signedOut: {
    heading: "You are signed out",
    lead: "Nobody can go on from here without your password and a new code.",
  },
  stillSignedIn: {
    heading: "Sign out",
    lead: "You are signed in on this browser.",
  },
  signInAgain: "Sign in again",
  inactivity: (minutes) => `After ${minutes} minutes without activity you are signed out.`,
};
