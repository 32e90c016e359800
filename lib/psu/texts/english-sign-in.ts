import { englishAnswers } from "./english-answers";
import type { SignInTexts } from "./sign-in-texts";

const left = (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1)
    return " One try is left. If it fails too, signing in is blocked: the first time for a while, the next time until you call the bank.";
  return ` ${attempts} tries are left.`;
};

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
  blocked: (minutes, bankName) =>
    `After too many wrong answers signing in is blocked. Try again in ${minutes} minutes; if it is still blocked then, ask ${bankName}.`,
  outcomes: {
    ...englishAnswers(left),
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
