import type { CodeTexts, FundsTexts, PaymentTexts, TppTexts } from "./confirm-texts";
import { formats } from "./english-formats";
import { day, money, regionName, time } from "./formats";

export const englishTpp: TppTexts = {
  who: "Who",
  registration: (id) => `Registration number ${id}`,
  authority: (name, id) => `Supervised by ${name} (${id})`,
};

export const englishCode: CodeTexts = {
  heading: "Enter the code to confirm",
  label: "Code",
  hint: (digits, sentAt, timeZone) =>
    `${digits} digits, sent by text message to your phone at ${time(formats, sentAt, timeZone)}.`,
  expired: "This code has run out. Send a new one.",
  noMore: "No more codes can be sent for this request.",
  newCode: "Send a new code",
  submit: "Confirm",
  firstHeading: "Confirm with a code",
  firstHint: "The code comes by text message to your phone.",
  sendFirst: "Send code",
};

export const englishPayment: PaymentTexts = {
  heading: (amount, payee) => `Pay ${money(formats, amount)} to ${payee}`,
  amount: "Amount",
  money: (amount) => money(formats, amount),
  payee: "To",
  bic: (bic) => `BIC ${bic}`,
  address: (lines, country) => [...lines, regionName(formats, country)].join(", "),
  message: "Message to the payee",
  reference: "End-to-end ID",
  from: "From",
  debited: "Leaves your account",
  converted: (amount) => `${money(formats, amount)}, at the bank’s indicative rate`,
  fees: "Fee",
  noFee: "None",
  fee: (tariff, debited) =>
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
  executed: {
    "instant-sepa-credit-transfers": "At once, as an instant payment",
    "sepa-credit-transfers": "As soon as possible, as a SEPA credit transfer",
    "target-2-payments": "As soon as possible, as a TARGET payment",
    "cross-border-credit-transfers": "As soon as possible, as a cross-border credit transfer",
  },
  consequences:
    "When you confirm, the money leaves your account. A payment cannot be cancelled once it is confirmed.",
};

export const englishFunds: FundsTexts = {
  heading: (tpp) => `Let ${tpp} check your funds`,
  account: "Account",
  issuer: "Card issuer",
  card: "Card",
  cardEnding: (lastDigits) => `Card number ending in ${lastDigits}`,
  noCard: "Not named",
  until: "Until",
  untilDay: (date) => day(formats, date),
  untilEnded: "You or the card issuer end it",
  consequences: (tpp, bankName) =>
    `When you use the card, ${tpp} may ask whether the account has enough for an amount. It learns yes or no, never your balance, and nothing is reserved or paid. You can end this at any time with ${bankName} or with ${tpp}.`,
};
