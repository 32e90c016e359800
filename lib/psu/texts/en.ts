import type { AccessRights } from "@/lib/domain/accounts";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { ScaMeans } from "@/lib/domain/bank-profile";
import type { CustomerLimits, ExchangeRate } from "@/lib/domain/core-bank";
import type { CodePurpose, CodeWording } from "@/lib/domain/dynamic-linking";
import type { SignInWording } from "@/lib/domain/sign-in";
import type { LegalBasis } from "@/lib/domain/tpp-blocks";
import { amountOf, type IsoDate, type Money, spacedIban } from "@/lib/domain/values";
import type { OutcomeName, OwnOutcomeName } from "../outcome";
import type { EndPage } from "../pages";
import {
  day,
  dayAndTime,
  exchangeRate,
  type Language,
  listed,
  money,
  type QuotedName,
  quoted,
  quotedInMessage,
  regionName,
  time,
} from "./formats";

export type Notice = { readonly heading: string; readonly lead: string };

/** What ended, as far as its page says. */
export type Ended = {
  readonly kind: ResourceKind;
  readonly tpp: QuotedName;
  readonly bankName: string;
  /** How long a user ID stays blocked. */
  readonly blockMinutes: number;
};
export type EndTexts = Readonly<
  Record<EndPage, { readonly heading: string; readonly lead: (ended: Ended) => string }>
>;

/** `left`: tries, or seconds to wait. */
export type OutcomeTexts = Readonly<Record<OutcomeName, (left?: number) => string>>;
type OwnOutcomeTexts = Readonly<
  Record<
    OwnOutcomeName,
    (left: number | undefined, bank: Pick<Ended, "bankName" | "blockMinutes">) => string
  >
>;

const data = ({ balances, transactions, ownerName }: AccessRights) =>
  listed(formats, [
    "account details",
    ...(ownerName ? ["the owner’s name"] : []),
    ...(balances ? ["balances"] : []),
    ...(transactions ? ["transactions"] : []),
  ]);

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
const accounts = (count: number) => counted(count, "account");
const minutes = (count: number) => counted(count, "minute");
const first = (count: number, one: string) => (count === 1 ? one : counted(count, one));
const times = (count: number) => (count === 1 ? "once" : `${count} times`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const englishTpp = {
  who: "Who",
  registration: (id: string) => `Registration number ${id}`,
  authority: (name: string, id: string) => `Supervised by ${name} (${id})`,
};

const englishCode = {
  heading: "Enter the code to confirm",
  label: "Code",
  hint: (digits: number, sentAt: Date, timeZone: string) =>
    `${digits} digits, sent by text message to your phone at ${time(formats, sentAt, timeZone)}.`,
  expired: "This code has run out. Send a new one.",
  noMore: "No more codes can be sent for this request.",
  newCode: "Send a new code",
  submit: "Confirm",
  firstHeading: "Confirm with a code",
  firstHint: "The code comes by text message to your phone.",
  sendFirst: "Send code",
};

const englishApproval = {
  signIn: (bankName: string) => `Sign in with ${bankName}`,
  signInLead: "You sign in as in the bank’s own app or website, and come back here.",
  appHeading: "Confirm in your bank’s app",
  appHint: (reference: string) =>
    `Open the app on your phone. Confirm there only if it shows the same as this page, with the reference ${reference}.`,
  appNext: "I have confirmed",
  appFirst: "The request comes to the bank’s app on your phone.",
  noMore: "Nothing more can be sent to the app for this request.",
  askApp: "Send to my app",
  askAppAgain: "Send to my app again",
  byApp: "Confirm in the app instead",
  providerHeading: "Confirm with your bank’s sign-in",
  providerHint: "It shows what you confirm once more, and leads back here.",
  byProvider: "Continue to confirm",
  byProviderInstead: "Confirm with the bank’s sign-in instead",
  byCode: "Confirm with a code instead",
  noMeansHeading: "You need a passkey to confirm",
  noMeansHint: "You have none with this bank yet. Add one; its page leads back here.",
  addPasskey: "Add a passkey",
  blockNotices: {
    blocked: (count: number, bankName: string) =>
      `${bankName}: after too many wrong codes or passkeys the bank takes none from you for ${minutes(count)}. If the tries were not yours, call the bank.`,
    warned: (_minutes: number, bankName: string) =>
      `${bankName}: somebody who can sign in as you has entered wrong codes. After more of them the bank takes none until you call it. If it was not you, call at once.`,
    "blocked-for-good": (_minutes: number, bankName: string) =>
      `${bankName}: after too many wrong codes or passkeys the bank takes none from you until you call it.`,
  },
};

const englishPayment = {
  heading: (amount: Money, payee: QuotedName) => `Pay ${money(formats, amount)} to ${payee}`,
  amount: "Amount",
  payee: "To",
  bic: (bic: string) => `BIC ${bic}`,
  address: (lines: readonly string[], country: string) =>
    [...lines, regionName(formats, country)].join(", "),
  message: "Message to the payee",
  reference: "End-to-end ID",
  from: "From",
  debited: "Leaves your account",
  converted: (amount: Money, rate?: ExchangeRate) =>
    rate === undefined
      ? money(formats, amount)
      : `${money(formats, amount)}, at the rate of ${rate.source}: ${exchangeRate(formats, rate)}`,
  fees: "Fee",
  noFee: "None",
  fee: (tariff: Money, debited: Money) =>
    tariff.currency === debited.currency
      ? money(formats, tariff)
      : `${money(formats, tariff)}, debited as ${money(formats, debited)}`,
  charges: {
    SLEV: undefined,
    SHAR: "You and the payee each pay the charges of your own bank.",
    DEBT: "You pay the charges of all banks.",
    CRED: "The payee pays the charges of all banks.",
  },
  execution: "When",
  executionDate: (day: string) => `Execution date, if you confirm now: ${day}`,
  executed: {
    "instant-sepa-credit-transfers": "At once, as an instant payment",
    "sepa-credit-transfers": "As soon as possible, as a SEPA credit transfer",
    "target-2-payments": "As soon as possible, as a TARGET payment",
    "cross-border-credit-transfers": "As soon as possible, as a cross-border credit transfer",
  },
  consequences: {
    leaves: "When you confirm, the money leaves your account.",
    final: "A payment cannot be cancelled once it is confirmed.",
  },
  noFundsHeading: "There is not enough money on your account now",
  noFunds: {
    waits:
      "When you confirm, the payment waits until there is enough. If that takes too long, the bank refuses it.",
    refused: "If there is still too little when you confirm, the bank refuses the payment at once.",
  },
  refusalHeading: "The bank would refuse this payment now",
  refusals: {
    "account-blocked": () => "Your account is blocked: no payment can leave it.",
    "psu-limit": (limits?: CustomerLimits) =>
      limits?.onePayment === undefined
        ? "It is more than you allow for one payment."
        : `It is more than you allow for one payment: ${money(formats, limits.onePayment)}.`,
    "day-limit": (limits?: CustomerLimits) =>
      limits === undefined
        ? "With what you have paid today it would be above your limit for a day."
        : `With what you have paid today, ${money(formats, limits.usedToday)}, it would be above your limit for a day: ${money(formats, limits.day)}.`,
  },
};

const englishFunds = {
  heading: (tpp: QuotedName) => `Let ${tpp} check your funds`,
  account: "Account",
  issuer: "Card issuer",
  card: "Card",
  cardEnding: (lastDigits: string) => `Card number ending in ${lastDigits}`,
  noCard: "Not named",
  until: "Until",
  untilEnded: "You or the card issuer end it",
  consequences: (tpp: QuotedName, bankName: string) =>
    `When you use the card, ${tpp} may ask whether the account has enough for an amount. It learns yes or no, never your balance, and nothing is reserved or paid. You can end this at any time with ${bankName} or with ${tpp}.`,
};

const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  return attempts === 1 ? ` One try is left. ${last}` : ` ${attempts} tries are left.`;
};
const codesLeft = tries(
  "If it fails too, the request is refused, and more tries may be blocked: the first time for a while, the next time until you call the bank.",
);
const passwordsLeft = tries(
  "If it fails too, the request is refused, and signing in may be blocked for a while.",
);

type Left = Readonly<Record<"password" | "second", ReturnType<typeof tries>>>;

/** What came of an answer, in the same words for a TPP's request and in the bank's own channel. */
const englishAnswers = (left: Left) => ({
  "user-id-missing": () => "Enter your user ID.",
  "password-missing": () => "Enter your password.",
  "credentials-missing": () => "Enter your user ID and password.",
  "wrong-credentials": (attempts?: number) =>
    `User ID and password do not match.${left.password(attempts)}`,
  "too-soon": (seconds?: number) =>
    `Too many wrong tries came from your network. Nothing was checked. Wait ${waitIn(seconds)}, then try again.`,
  busy: () => "Very many people are signing in right now. Try again in a few seconds.",
  "code-missing": () => "Enter the code from the text message.",
  "code-malformed": () => "Enter all digits of the code, and only digits.",
  "wrong-code": (attempts?: number) => `The code is wrong.${left.second(attempts)}`,
  "code-expired": () => "The code has run out. Send a new one and enter that.",
  "passkey-missing": () =>
    "Your passkey gave no answer. Use it once more, or another way if this page offers one.",
  "too-many-texts": () =>
    "So much went to your phone in the last hour that nothing more is sent for now. Try again later, or another way if this page offers one. If it was not you who asked for it, somebody may be able to sign in as you: call the bank.",
  "new-code-sent": () => "A new code was sent. Earlier codes no longer work.",
  "provider-unavailable": () =>
    "The bank’s sign-in cannot be reached at the moment. Nothing has changed. Try again in a moment, or cancel.",
  "login-refused": () => "You have not signed in. Sign in, or go back.",
  "acr-too-low": () =>
    "The bank’s sign-in did not ask for everything that is needed here. Try again; if it stays so, call the bank.",
  "not-proved": () =>
    "The answer of the bank’s sign-in could not be used: it came too late, or was not for this request. Nothing has changed. Try again.",
  "stale-form": () =>
    "The page was out of date, so your answer was not taken. Please answer again.",
  fault: () => "Something went wrong on our side. Please answer again.",
});

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
const englishOutcomes: OutcomeTexts = {
  ...englishAnswers({ password: passwordsLeft, second: codesLeft }),
  "another-psu": () =>
    "This request was begun by somebody else. Sign in as that person, or cancel.",
  "nothing-selected": () => "Choose at least one account.",
  "not-offered": () => "Choose from the accounts in this list.",
  "wrong-passkey": (attempts) =>
    `This passkey did not confirm what is shown here.${codesLeft(attempts)}`,
  "passkey-expired": () =>
    "That took too long, so nothing is confirmed. Use your passkey once more.",
  "not-delivered": () =>
    "The text message could not be sent. This is our fault, and it costs you no try. Try again in a moment, or cancel.",
  "too-many-codes": () =>
    "Nothing more can be sent to your phone for this request. Use what came last if you have it, or cancel.",
  "another-customer": () =>
    "Somebody else has signed in. Only the person who began this request can go on: sign in as that person, or cancel.",
  changed: () =>
    "What you confirm has changed in the meantime, for example a rate or a fee. Nothing is confirmed, and it costs you no try. Check what the page shows now before you confirm it. What was sent to your phone for what it was before no longer counts.",
  "app-asked": () => "The request is in your app now. An earlier one no longer counts.",
  "app-pending": () => "You have not confirmed in the app yet. Confirm there, then continue here.",
  "approval-expired": () => "That took too long, so nothing is confirmed. Ask once more.",
  "time-after-sign-in": () => "Sign in first to get more time.",
  "more-time": () => "You have more time.",
};

const nothingHappened: Readonly<Record<ResourceKind, (ended: Ended) => string>> = {
  AIS: ({ tpp }) => `Nothing is shared with ${tpp}.`,
  PIIS: ({ tpp }) => `Nothing is shared with ${tpp}.`,
  PIS: () => "Nothing was paid.",
};

const nothing = (ended: Ended) => nothingHappened[ended.kind](ended);
const startAgain = ({ tpp }: Ended) => `You can start again at ${tpp}.`;

/** Pages from which only the way back is left. */
const englishEnds: EndTexts = {
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
      `There were too many wrong tries in a row with this user ID. ${nothing(ended)} To protect its owner, nobody can use it for at least ${minutes(ended.blockMinutes)}. Start again at ${ended.tpp} after that, or sign in at the bank itself with your passkey. If it still does not work, or if the tries were not yours, call ${ended.bankName}.`,
  },
  "confirming-blocked": {
    heading: "Confirming is blocked for now",
    lead: (ended) =>
      `There were too many wrong codes or passkeys in a row. ${nothing(ended)} To protect you, the bank takes none for at least ${minutes(ended.blockMinutes)}. Start again at ${ended.tpp} after that. If it still does not work, or if the tries were not yours, call ${ended.bankName}.`,
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
  "opted-out": {
    heading: "You do not want to be asked for this",
    lead: (ended) =>
      `You have told ${ended.bankName} to refuse such requests, so it has refused this one of ${ended.tpp}. ${nothing(ended)} To allow them again, sign in at the bank itself, open “What you refuse” and end it; then start again at ${ended.tpp}.`,
  },
  "customer-blocked": {
    heading: "The bank has blocked you",
    lead: (ended) =>
      `${ended.bankName} has blocked you in all its channels, so it refused this request of ${ended.tpp}. ${nothing(ended)} Call ${ended.bankName} to learn more.`,
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

const signInCodesLeft = tries(
  "If it fails too, signing in is blocked: the first time for a while, the next time until you call the bank.",
);
const signInPasswordsLeft = tries("If it fails too, signing in is blocked for a while.");

const englishSignInOutcomes: OwnOutcomeTexts = {
  ...englishAnswers({ password: signInPasswordsLeft, second: signInCodesLeft }),
  blocked: (_left, { blockMinutes, bankName }) =>
    `After too many wrong answers signing in is blocked. Try again in ${minutes(blockMinutes)}; if it is still blocked then, ask ${bankName}.`,
  "blocked-for-good": () =>
    "After too many wrong codes signing in is blocked until you call the bank. If you have a passkey, it lifts the block.",
  unlocked: () => "Your passkey was recognised. Sign in now.",
  "not-unlocked": () => "The passkey was not recognised, and nothing has changed.",
  "not-delivered": () => "The text message could not be sent. Try to send a new code.",
  "too-many-codes": () => "No more codes can be sent. Enter the last one, or start again.",
  "wrong-passkey": (attempts) => `This passkey did not sign you in.${signInCodesLeft(attempts)}`,
  "passkey-expired": () =>
    "That took too long, so you are not signed in. Use your passkey once more.",
  "passkey-added": () => "Your passkey was added.",
  "passkey-removed": () => "The passkey was removed. Nothing can be confirmed with it any more.",
  "passkey-name-missing": () => "Give the passkey a name of up to 40 characters.",
  "not-understood": () =>
    "The passkey was not added: the browser’s answer came too late or does not fit.",
  "known-already": () => "The passkey was not added: the bank has met it before. Make a new one.",
  "too-many-passkeys": () =>
    "The passkey was not added: you have, or have made since yesterday, as many as there may be.",
  refused: () => "From now on the bank refuses such requests, and you are not asked.",
  "refused-already": () => "Nothing has changed: the bank refuses these requests already.",
  "not-refused": () => "Such requests are allowed again.",
  revoked: () => "The permission has ended. From now on nothing can be read with it.",
  "not-revoked": () => "There was nothing to end: this permission is not in force any more.",
};

const englishSignIn = {
  heading: (bankName: string) => `Sign in to ${bankName}`,
  lead: "Then you confirm with a code from your phone.",
  again: {
    heading: "Sign in again",
    lead: "You are no longer signed in, for example because nothing happened for a while.",
  },
  codeHeading: "Enter the code to sign in",
  reference: (reference: string) => `The text message has the reference ${reference}.`,
  noCode: "No code has been sent yet.",
  submit: "Sign in",
  startAgain: "Start again",
  codeMessage:
    (bankName: string) =>
    ({ code, reference }: Parameters<SignInWording>[0]) =>
      `${code} is your code to sign in to ${bankName} and see your permissions. Reference ${reference}. Never tell it to anybody.`,
  blockNotices: {
    blocked: (count: number, bankName: string) =>
      `${bankName}: after too many wrong tries signing in with your user ID is blocked for ${minutes(count)}. If the tries were not yours, call the bank.`,
    warned: (_minutes: number, bankName: string) =>
      `${bankName}: somebody who knows your password has entered wrong codes. After more of them signing in stays blocked until you call the bank. If it was not you, call at once.`,
    "blocked-for-good": (_minutes: number, bankName: string) =>
      `${bankName}: after too many wrong codes signing in is blocked until you call the bank or use your passkey.`,
  },
  unlock: {
    hint: "Do you have a passkey? With it you can sign in now, although the user ID is blocked. In a browser without passkeys or JavaScript, wait or call the bank.",
    submit: "Unlock with your passkey",
    cancelled: "No passkey was used, and nothing has changed.",
  },
  outcomes: englishSignInOutcomes,
  signOut: "Sign out",
  signedOut: {
    heading: "You are signed out",
    lead: "Nobody can go on from here without signing in again.",
  },
  stillSignedIn: {
    heading: "Sign out",
    lead: "You are signed in on this browser.",
  },
  signInAgain: "Sign in again",
  inactivity: (count: number) => `After ${minutes(count)} without activity you are signed out.`,
};

const englishPasskey = {
  heading: "Confirm with your passkey",
  hint: "Your device asks for your finger, your face or its PIN.",
  codeHint: "Instead you can have a code by text message to your phone.",
  submit: "Use your passkey",
  sendCode: "Send me a code",
  cancelled:
    "No passkey was used, and nothing is confirmed. Try again, or another way if this page offers one.",
};

function withoutPasskey(means: readonly ScaMeans[]): string {
  if (means.includes("code")) {
    return " Without another passkey you confirm with a code by text message.";
  }
  const isOnlyOne = means.every((one) => one === "passkey");
  return isOnlyOne ? " Without another passkey you can confirm nothing." : "";
}

const englishPasskeys = {
  heading: "Your passkeys",
  lead: "With a passkey you confirm by your finger, your face or the PIN of your device, and need no code by text message.",
  notAccepted:
    "This bank takes no passkeys, so nothing can be confirmed with one. You can remove those that you have.",
  none: "You have no passkey yet.",
  added: (date: IsoDate) => `Added on ${day(formats, date)}`,
  lastUsed: (date: IsoDate) => `Last used on ${day(formats, date)}`,
  neverUsed: "Not used yet",
  remove: "Remove",
  addHeading: "Add a passkey",
  name: "Name of the passkey",
  nameHint: "For you to know it by, for example the device it is on.",
  add: "Add a passkey",
  needsJavaScript:
    "To add a passkey, the browser has to know passkeys and JavaScript has to be switched on.",
  signInFirst: (count: number) =>
    `A passkey confirms in your name. For your safety one can be added only in the first ${first(count, "minute")} after you sign in.`,
  noMore: (passkeysMax: number) =>
    `You have ${counted(passkeysMax, "passkey")}, and that is all there may be.`,
  cancelled: "No passkey was added. Try again if you want to.",
  removing: (name: string, means: readonly ScaMeans[]) => ({
    heading: `Remove the passkey “${name}”?`,
    lead: `Nothing can be confirmed with it from then on.${withoutPasskey(means)}`,
  }),
  removeSubmit: "Remove",
  keep: "Keep it",
  addedMessage: (bankName: string) =>
    `A passkey was added to your sign-in at ${bankName}. If this was not you, call the bank at once.`,
  removedMessage: (bankName: string) =>
    `A passkey was removed from your sign-in at ${bankName}. If this was not you, call the bank at once.`,
  toPermissions: "Your permissions",
  toRequest: "Back to what you want to confirm",
};

const englishTppNotices = {
  heading: "About providers",
  block: (tpp: QuotedName, reason: string, at: string, until: string | undefined) =>
    `${tpp} has no access to your accounts through the bank since ${at}${until === undefined ? "" : `, until ${until}`}. ${reason} Your permissions stay as they are, and work again when the bank lets it in again; you can end them below.`,
  unblock: (tpp: QuotedName, at: string) =>
    `${tpp} has access again since ${at}, by the permissions that are in force.`,
  /** PSD2 art. 68(5) wants the reasons told. */
  reasons: {
    "unauthorised-access":
      "The bank has reasons to believe that accounts were accessed, or payments initiated, without authorisation or by fraud.",
    "authority-order": "The authority that supervises it has ordered this.",
    "request-of-tpp": "It has asked for this itself.",
    "certificate-compromised":
      "The certificate by which the bank knows it may be in the hands of others.",
    "reasons-over": "The reasons are over.",
    "blocked-by-mistake": "The bank had blocked it by mistake.",
  } satisfies Readonly<Record<LegalBasis, string>>,
};

const englishPermissions = {
  notices: englishTppNotices,
  heading: "Your permissions",
  lead: "Who may read your accounts, who has read what, and the payments that others have prepared for you. You can end a permission at any time.",
  pastShown: (days: number) => `What ended more than ${counted(days, "day")} ago is not listed.`,
  shown: { inForce: "In force", past: "Not in force", all: "All" },
  noneInForce: "Nobody may read your accounts at the moment.",
  nothingFound: "There is nothing that fits.",
  search: {
    text: "Provider, IBAN or payee",
    kind: "What",
    anyKind: "Everything",
    state: "Status",
    submit: "Search",
  },
  newest: "Back to the beginning",
  older: "Next page",
  toList: "All permissions",
  everyOf: (tpp: QuotedName, count: number) => `All ${count} of ${tpp}`,
  paying: (amount: string, payee: string) => `${amount} to ${payee}`,
  download: "Download the whole list (CSV)",
  downloadHistory: "Download the access history (CSV)",
  details: "Details and access history",
  kinds: {
    accounts: "Account information",
    funds: "Confirmation of funds",
    payments: "Payment",
  },
  one: {
    accounts: (tpp: QuotedName) => `${tpp}: account information`,
    funds: (tpp: QuotedName) => `${tpp}: confirmation of funds`,
    payments: (tpp: QuotedName) => `${tpp}: payment`,
  },
  states: {
    active: "Active",
    waiting: "Waiting for you to confirm",
    revoked: "Ended by you",
    expired: "Expired",
    "ended-by-tpp": "Ended by the provider",
    "never-confirmed": "Never confirmed",
    "in-progress": "Confirmed, in progress",
    "waiting-for-funds": "Confirmed, waiting for enough money on the account",
    paid: "Paid",
    "refused-by-bank": "Refused by the bank",
  },
  labels: {
    tpp: "Provider",
    registration: "Registration number",
    kind: "What",
    status: "Status",
    data: "Data",
    accounts: "Accounts",
    since: "Since",
    requested: "Requested",
    until: "Until",
    ended: "Ended",
    howOften: "How often",
    lastRead: "Last access",
    purpose: "What for",
    reason: "Reason that it gives",
    card: "Card",
    registeredFor: "It is registered for",
    amount: "Amount",
    payee: "To",
    message: "Message to the payee",
    from: "From",
  },
  /** As far as the standard tells: a TPP has no field in which it could say more. */
  purposes: {
    accounts: (tpp: QuotedName) =>
      `So that ${tpp} can show or use your account data in its service, again and again. It can read only; it cannot pay.`,
    accountsOnce: (tpp: QuotedName) =>
      `So that ${tpp} can use your account data once in its service. It can read only; it cannot pay.`,
    funds: (tpp: QuotedName) =>
      `So that ${tpp}, which has issued you a card, can ask before a card payment whether the money is there.`,
    payments: (tpp: QuotedName) =>
      `So that ${tpp} can prepare this one payment for you. It learns whether it was made, and nothing else of the account.`,
  },
  roles: {
    PSP_AS: "keeping accounts",
    PSP_PI: "initiating payments",
    PSP_AI: "account information",
    PSP_IC: "issuing cards",
  },
  refusals: {
    heading: "What you refuse",
    lead: "Here you tell the bank which requests it is to refuse, so that nobody can ask you to confirm them. Permissions that you have given stay in force: you end each by itself. You can change this at any time.",
    begin: (tpp: QuotedName) => `Refuse requests of ${tpp}`,
    ofEvery: "Refuse requests of all providers",
    ofOne: (tpp: QuotedName) => `Refuse requests of ${tpp}`,
    refuse: {
      accounts: "Refuse to share account information",
      funds: "Refuse confirmation of funds",
      payments: "Refuse payments that others prepare",
    },
    standing: "Refused now",
    none: "You refuse nothing.",
    any: "every provider",
    refused: {
      accounts: (whose: string) => `Account information: ${whose}`,
      funds: (whose: string) => `Confirmation of funds: ${whose}`,
      payments: (whose: string) => `Payments: ${whose}`,
    },
    since: (instant: string) => `Since ${instant}`,
    sinceByBank: (instant: string) => `Since ${instant}, by the bank on your behalf`,
    allow: "Allow such requests again",
    toEvery: "What you refuse of all providers",
  },
  endedForGood: (tpp: QuotedName) =>
    `A permission that has ended stays ended. To use ${tpp} again, start there and give it a new one.`,
  neverRead: "Never",
  noAccounts: "None: no accounts were shared",
  fundsData: "Whether the account has enough for an amount: yes or no, never the balance",
  fundsOften: "When the card is used",
  untilEnded: "You or the provider end it",
  history: {
    heading: "Access history",
    lead: (days: number) =>
      `Every time something was read, for ${counted(days, "day")}. What it was is not kept here.`,
    none: "Nothing has been read.",
    when: "When",
    what: "What was read",
    account: "Account",
    how: "How",
    everyAccount: "All shared accounts",
    attended: "While you were using it",
    unattended: "Without you",
    reads: {
      accounts: "List of accounts",
      "accounts-with-balances": "List of accounts with balances",
      "account-details": "Account details",
      "account-details-with-balances": "Account details with balance",
      balances: "Balances",
      transactions: "Transactions",
      transaction: "One transaction",
      "funds-check": "Check of funds",
    },
    newest: "Newest",
    older: "Older",
  },
  revoke: {
    begin: "End this permission",
    heading: (tpp: QuotedName) => `End the permission of ${tpp}?`,
    lead: {
      accounts: (tpp: QuotedName) =>
        `From then on ${tpp} can read nothing more of these accounts. What it has read already stays with it; its own services may stop working. To use it again, you give it a new permission.`,
      funds: (tpp: QuotedName) =>
        `From then on ${tpp} gets no more answers about this account, so the card may stop working. To use it again, you give it a new permission.`,
    },
    submit: "End permission",
    keep: "Keep it",
  },
};

const signedIn = (left: string) =>
  `In less than ${left} you will be signed out, because nothing happens here.`;
const request = (left: string) => `In less than ${left} the time for this request is over.`;
const session = (left: string) => `In less than ${left} you will be signed out.`;

const englishTimeLimit = {
  more: "I need more time",
  signedInLeft: {
    60: signedIn("a minute"),
    30: signedIn("30 seconds"),
    10: signedIn("10 seconds"),
  },
  request: {
    left: { 60: request("a minute"), 30: request("30 seconds"), 10: request("10 seconds") },
    over: "The time for this request is over.",
  },
  /** The end of the session, which activity does not move. */
  session: {
    left: { 60: session("a minute"), 30: session("30 seconds"), 10: session("10 seconds") },
    over: "You are signed out. What you have not sent was not taken.",
  },
  extended: "You have more time.",
  failed: "That did not work. Please try again.",
  signedOut: (count: number) =>
    `You are signed out, because nothing happened for ${minutes(count)}. What you have not sent was not taken.`,
  signInAgain: "Sign in again",
};

/** How the request was answered, as far as that is known. */
type LeavingOutcome = "done" | "confirmed" | "not-confirmed";
const englishLeaving: Readonly<Record<LeavingOutcome, string>> = {
  done: "You are done here.",
  confirmed: "You have confirmed the request.",
  "not-confirmed": "Nothing was confirmed.",
};

/** The text message with a code. */
const englishMessage: CodeWording = ({ tppName, purpose, ...proof }) => {
  const what = whatFor(purpose, quotedInMessage(formats, tppName));
  return "code" in proof
    ? `${proof.code} is your code to ${what}. Never tell it to anybody.`
    : `Confirm to ${what}. Reference ${proof.reference}.`;
};

/** How English is written by this bank. */
export const formats = {
  locale: "en-GB",
  and: "and",
  quotes: ["“", "”"],
  messageQuotes: ['"', '"'],
} as const;

export const english = {
  lang: "en" as Language,
  quoted: (name: string) => quoted(formats, name),
  day: (date: IsoDate) => day(formats, date),
  instant: (instant: Date, timeZone: string) => dayAndTime(formats, instant, timeZone),
  money: (amount: Money) => money(formats, amount),
  title: (heading: string, bankName: string) => `${heading} - ${bankName}`,
  errorTitle: (title: string) => `Error: ${title}`,
  frame: {
    place: "Online banking",
    language: "Language of this page",
    request: {
      AIS: (tpp: QuotedName) => `${tpp} asks for account information`,
      PIIS: (tpp: QuotedName) => `${tpp} asks for confirmation of funds`,
      PIS: (tpp: QuotedName) => `${tpp} asks for a payment`,
    },
    step: (step: number, steps: number) => `Step ${step} of ${steps}`,
    errorSummary: "There is a problem",
    errorPrefix: "Error:",
    cancel: "Cancel",
    backTo: (tpp: QuotedName) => `Back to ${tpp}`,
    openUntil: (instant: Date, timeZone: string) =>
      `You can finish this request until ${time(formats, instant, timeZone)} (bank time).`,
    inactivity: (count: number) => `After ${minutes(count)} without activity you sign in again.`,
    phishing: (bankName: string) =>
      `${bankName} never asks for your password or a code by phone or by email.`,
    address: (host: string) =>
      `The address of our pages begins with https://${host}/, and your browser shows that the connection is secure.`,
    support: (phone: string, email: string) => `Questions? Call ${phone} or write to ${email}.`,
    sandbox: "This is a sandbox. No real bank, no real money.",
    sandboxPeople: "Demo customers and passwords (new tab)",
    sandboxPhone: "Open the sandbox phone (new tab)",
    clockMoved: (now: Date, timeZone: string) =>
      `The sandbox’s clock is moved: it is ${dayAndTime(formats, now, timeZone)}.`,
  },
  login: {
    heading: (bankName: string) => `Sign in to ${bankName}`,
    lead: {
      AIS: (tpp: QuotedName) => `Then you choose which accounts ${tpp} may read.`,
      PIIS: (tpp: QuotedName) => `Then you see what ${tpp} may ask, and confirm it.`,
      PIS: () => "Then you see the payment and confirm it.",
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
    lead: (tpp: QuotedName, rights: AccessRights) =>
      `${tpp} can read ${data(rights)} of the accounts you choose.`,
    asBefore: (tpp: QuotedName) =>
      `The accounts of the last access that you gave ${tpp} are ticked. You can change that.`,
    legend: "Your payment accounts",
    all: "Select all",
    allHint: "Shares every account in this list, ticked or not.",
    blocked: "Blocked",
    submit: "Continue",
  },
  summary: {
    heading: (tpp: QuotedName, count: number) => `Share ${accounts(count)} with ${tpp}`,
    data: "Data",
    dataIn: (rights: AccessRights) => capital(data(rights)),
    transactions: (days: number, count: number) =>
      `Transactions show what you spend and earn, and with whom: the last ${first(days, "day")}, and in the first ${first(count, "minute")} also older ones.`,
    accounts: "Accounts",
    onlyData: (rights: AccessRights) => `Only ${data(rights)}`,
    change: "Change accounts",
    until: "Until",
    untilOneOff: (count: number) => `Ends ${minutes(count)} after you confirm`,
    howOften: "How often",
    perDay: (tpp: QuotedName, count: number) =>
      `Repeatedly: whenever you use ${tpp}, and up to ${times(count)} in 24 hours without you`,
    oneOff: (tpp: QuotedName) => `One time only: while you use ${tpp}, and once without you`,
    consequences: (tpp: QuotedName, bankName: string, replacesEarlier: boolean) =>
      replacesEarlier
        ? `${tpp} can only read: it cannot make payments. This takes the place of earlier repeated access you gave ${tpp}. You can end it at any time with ${bankName} or with ${tpp}.`
        : `${tpp} can only read: it cannot make payments. You can end it at any time with ${bankName} or with ${tpp}.`,
  },
  payment: englishPayment,
  funds: englishFunds,
  tpp: englishTpp,
  code: englishCode,
  approval: englishApproval,
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
      lead: "Please try again in a moment. Nothing is shared or paid unless you confirm it.",
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
  leaving: (tpp: QuotedName, outcome: LeavingOutcome = "done") => ({
    heading: `Taking you back to ${tpp}`,
    lead: `${englishLeaving[outcome]} If nothing happens in a moment, continue with the link.`,
  }),
  continueTo: (tpp: QuotedName) => `Continue to ${tpp}`,
  tryAgain: "Try again",
  outcomes: englishOutcomes,
};

/** Everything the pages say, in one language: every language says what English says. */
export type Texts = typeof english;

/** Seconds as they are read: of more than a minute and a half, the minutes. */
function waitIn(seconds = 1): string {
  if (seconds <= 90) return counted(seconds, "second");
  return `${Math.ceil(seconds / 60)} minutes`;
}

function whatFor(purpose: CodePurpose, tpp: string): string {
  switch (purpose.kind) {
    case "AIS": {
      const until = purpose.until === undefined ? "once" : `until ${day(formats, purpose.until)}`;
      return `let ${tpp} read ${accounts(purpose.accounts)} ${until}`;
    }
    case "PIIS": {
      const until = purpose.until === undefined ? "" : ` until ${day(formats, purpose.until)}`;
      return `let ${tpp} ask whether ${spacedIban(purpose.iban)} has enough funds${until}`;
    }
    case "PIS": {
      const { amount, creditor } = purpose;
      const sum = `${amountOf(amount)} ${amount.currency}`;
      return `pay ${sum} to ${quotedInMessage(formats, creditor.name)}, ${creditor.iban}, asked by ${tpp}`;
    }
  }
}
