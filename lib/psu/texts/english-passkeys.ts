import { formats } from "./english-formats";
import { day } from "./formats";
import type { PasskeysTexts, PasskeyTexts } from "./passkey-texts";

export const englishPasskey: PasskeyTexts = {
  heading: "Confirm with your passkey or a code",
  hint: "For a passkey your device asks for your finger, your face or its PIN. A code comes by text message to your phone.",
  submit: "Use your passkey",
  sendCode: "Send me a code",
  cancelled: "No passkey was used, and nothing is confirmed. Try again, or use a code.",
};

export const englishPasskeys: PasskeysTexts = {
  heading: "Your passkeys",
  lead: "With a passkey you confirm by your finger, your face or the PIN of your device, and need no code by text message.",
  none: "You have no passkey yet.",
  added: (date) => `Added on ${day(formats, date)}`,
  lastUsed: (date) => `Last used on ${day(formats, date)}`,
  neverUsed: "Not used yet",
  remove: "Remove",
  addHeading: "Add a passkey",
  name: "Name of the passkey",
  nameHint: "For you to know it by, for example the device it is on.",
  add: "Add a passkey",
  needsJavaScript:
    "To add a passkey, the browser has to know passkeys and JavaScript has to be switched on.",
  signInFirst: (minutes) =>
    `A passkey confirms in your name. For your safety one can be added only in the first ${minutes} minutes after you sign in.`,
  noMore: (passkeysMax) => `You have ${passkeysMax} passkeys, and that is all there may be.`,
  cancelled: "No passkey was added. Try again if you want to.",
  removing: (name) => ({
    heading: `Remove the passkey “${name}”?`,
    lead: "Nothing can be confirmed with it from then on. Without another passkey you confirm with a code by text message.",
  }),
  removeSubmit: "Remove",
  keep: "Keep it",
  addedMessage: (bankName) =>
    `A passkey was added to your sign-in at ${bankName}. If this was not you, call the bank at once.`,
  removedMessage: (bankName) =>
    `A passkey was removed from your sign-in at ${bankName}. If this was not you, call the bank at once.`,
  toPermissions: "Your permissions",
};
