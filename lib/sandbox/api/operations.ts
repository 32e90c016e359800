import * as z from "zod";
import { coreBankStates, type Namespaces } from "@/lib/core-bank/ledger/namespaces";
import { type AspspProfile, hasRate } from "@/lib/domain/bank-profile";
import { reject } from "@/lib/domain/errors";
import {
  type AccountId,
  addDays,
  dayIn,
  formatAmount,
  type IsoDate,
  type PsuId,
  parseAmount,
  type TppId,
} from "@/lib/domain/values";
import { accountFields, currency, idInPath, plainText } from "@/lib/xs2a/wire/common";
import { MESSAGES_MAX } from "../phone";
import { type InSandbox, operation } from "./declaration";

const none = z.strictObject({});
const psuPath = z.strictObject({ psuId: idInPath<PsuId>("The PSU's psuId.") });
const accountPath = z.strictObject({ accountId: idInPath<AccountId>("The accountId.") });

/** With a sign only where `pattern` allows one; in minor units as it is read. */
const amount = (pattern: RegExp, description: string) =>
  z
    .string()
    .regex(pattern, "is not an amount")
    .describe(description)
    .transform((text, context) => {
      const minorUnits = parseAmount(text);
      if (minorUnits !== undefined) return minorUnits;
      context.addIssue("is not an amount");
      return z.NEVER;
    });
const positive = /^\d{1,9}(\.\d{1,2})?$/;
const signed = /^-?\d{1,9}(\.\d{1,2})?$/;
const day = (description: string) =>
  z.iso
    .date()
    .describe(description)
    .transform((text) => text as IsoDate);
const counterparty = z.strictObject({
  name: plainText(70).exactOptional(),
  iban: accountFields(currency).iban.exactOptional(),
});
const paymentLimit = amount(positive, "The most in one payment, in the bank's currency of limits.");

const psuSent = z.strictObject({
  psuId: z.string(),
  userId: z.string().describe("What the PSU signs in with."),
  name: z.string(),
  paymentLimit: z.string().optional(),
});
const accountSent = z.strictObject({
  accountId: z.string(),
  iban: z.string(),
  currency: z.string(),
  name: z.string(),
  product: z.string(),
  booked: z.string().describe("The sum of what is booked."),
  overdraft: z.string(),
  owners: z.array(z.strictObject({ psuId: z.string(), role: z.string() })),
});

type Psu = Awaited<ReturnType<Namespaces["psus"]>>[number];
type Account = Awaited<ReturnType<Namespaces["accounts"]>>[number];

function psuOf({ id: psuId, userId, name, paymentLimitMinor }: Psu) {
  const limit = paymentLimitMinor === null ? {} : { paymentLimit: formatAmount(paymentLimitMinor) };
  return { psuId, userId, name, ...limit };
}

function accountOf({ id, iban, currency, name, product, owners, ...account }: Account) {
  return {
    accountId: id,
    iban: String(iban),
    ...{ currency, name, product },
    booked: formatAmount(account.bookedMinor),
    overdraft: formatAmount(account.overdraftMinor),
    owners: owners.map(({ id: psuId, role }) => ({ psuId, role })),
  };
}

const YEARS_BACK_DAYS_MAX = 3_650;
/** Ten years. */
const AHEAD_SECONDS_MAX = 315_360_000;

const listPsus = operation({
  operationId: "listPsus",
  summary: "The PSUs of the namespace",
  path: none,
  handle: async ({ tppId }, { namespaces }) => ({
    psus: (await namespaces.psus(tppId)).map(psuOf),
  }),
  answer: z.strictObject({ psus: z.array(psuSent) }),
});

const createPsu = operation({
  operationId: "createPsu",
  summary: "A new PSU, with a user ID and the password, which is told here only",
  path: none,
  body: z.strictObject({
    login: z
      .string()
      .regex(/^[a-z0-9._-]{1,40}$/, "is not 1 to 40 of a-z, 0-9, dot, hyphen and underscore")
      .describe("The beginning of the user ID."),
    name: plainText(70),
    paymentLimit: paymentLimit.exactOptional(),
  }),
  handle: async ({ tppId, body: { login, name, paymentLimit = null } }, { namespaces }) => {
    const made = { login, name, paymentLimitMinor: paymentLimit };
    const { password, ...psu } = await namespaces.createPsu(tppId, made);
    return { ...psuOf(psu), password };
  },
  answer: psuSent.extend({ password: z.string() }),
});

const setPaymentLimit = operation({
  operationId: "setPaymentLimit",
  summary: "How much the PSU sends in one payment at most; null for no limit of its own",
  path: psuPath,
  body: z.strictObject({ paymentLimit: paymentLimit.nullable() }),
  handle: async ({ tppId, path, body }, { namespaces }) =>
    psuOf(await namespaces.setPaymentLimit(tppId, path.psuId, body.paymentLimit)),
  answer: psuSent,
});

const listMessages = operation({
  operationId: "listMessages",
  summary: "The newest text messages to the PSU, with their codes",
  path: psuPath,
  handle: async ({ tppId, path }, { namespaces, sandboxMessages }) => {
    const { id } = await namespaces.psu(tppId, path.psuId);
    const messages = await sandboxMessages.of(id, MESSAGES_MAX);
    return {
      messages: messages.map(({ sentAt, text, code }) => {
        return { sentAt: sentAt.toISOString(), text, ...(code !== undefined && { code }) };
      }),
    };
  },
  answer: z.strictObject({
    messages: z.array(
      z.strictObject({ sentAt: z.string(), text: z.string(), code: z.string().optional() }),
    ),
  }),
});

const listAccounts = operation({
  operationId: "listAccounts",
  summary: "The accounts of the namespace",
  path: none,
  handle: async ({ tppId }, { namespaces }) => ({
    accounts: (await namespaces.accounts(tppId)).map(accountOf),
  }),
  answer: z.strictObject({ accounts: z.array(accountSent) }),
});

const createAccount = operation({
  operationId: "createAccount",
  summary: "A new payment account of a PSU",
  path: psuPath,
  body: z.strictObject({
    currency,
    name: plainText(70).default("Current account"),
    product: plainText(35).default("Everyday account"),
    balance: amount(signed, "Booked today as the opening balance.").prefault("0"),
    overdraft: amount(positive, "How far below zero the balance may go.").prefault("0"),
  }),
  handle: async ({ tppId, path, body, now }, { namespaces, profile }) => {
    const { balance: openingMinor, overdraft: overdraftMinor, ...named } = body;
    if (!hasRate(body.currency, profile)) {
      throw reject("FORMAT_ERROR", "the bank keeps no accounts in it", { path: "currency" });
    }
    const account = { ...named, ...path, openingMinor, overdraftMinor };
    return accountOf(await namespaces.createAccount(tppId, account, { profile, now }));
  },
  answer: accountSent,
});

const setOverdraft = operation({
  operationId: "setOverdraft",
  summary: "How far below zero the balance may go",
  path: accountPath,
  body: z.strictObject({ overdraft: amount(positive, "In the account's currency.") }),
  handle: async ({ tppId, path, body }, { namespaces }) =>
    accountOf(await namespaces.setOverdraft(tppId, path.accountId, body.overdraft)),
  answer: accountSent,
});

const addOwner = operation({
  operationId: "addOwner",
  summary: "A PSU of the namespace who may use the account as well",
  path: accountPath,
  body: z.strictObject({
    psuId: z.uuid().transform((id) => id as string as PsuId),
    role: z.enum(["owner", "legalRepresentative", "authorisedUser"]).default("owner"),
  }),
  handle: async ({ tppId, path, body }, { namespaces }) =>
    accountOf(await namespaces.addOwner(tppId, path.accountId, body)),
  answer: accountSent,
});

const addEntry = operation({
  operationId: "addEntry",
  summary: "An entry on the account; with a minus it leaves the account",
  path: accountPath,
  body: z.strictObject({
    amount: amount(signed, "In the account's currency, and not zero.").refine(
      (minorUnits) => minorUnits !== 0n,
      "is zero",
    ),
    status: z.enum(["booked", "pending"]).default("booked"),
    date: day(
      "Of the booking or, while it is pending, of the entry; today when left out.",
    ).exactOptional(),
    counterparty: counterparty.default({}),
    remittance: plainText(140).exactOptional(),
  }),
  handle: async ({ tppId, path, body, now }, { namespaces, profile }) => {
    const { amount: amountMinor, date, ...entry } = body;
    const made = { ...entry, amountMinor, day: dayOfEntry(date, now, profile) };
    return accountOf(await namespaces.addEntry(tppId, path.accountId, made, { profile, now }));
  },
  answer: accountSent,
});

function dayOfEntry(date: IsoDate | undefined, now: Date, { timeZone }: AspspProfile): IsoDate {
  const today = dayIn(timeZone, now);
  if (date === undefined) return today;
  if (date <= today && date >= addDays(today, -YEARS_BACK_DAYS_MAX)) return date;
  throw reject("FORMAT_ERROR", "date is after today or more than ten years ago", { path: "date" });
}

const addStandingOrder = operation({
  operationId: "addStandingOrder",
  summary: "A standing order of the account, as it is shown; nothing is paid by it",
  path: accountPath,
  body: z.strictObject({
    amount: amount(positive, "Of one execution, and not zero.").refine(
      (minorUnits) => minorUnits !== 0n,
      "is zero",
    ),
    counterparty,
    remittance: plainText(140).exactOptional(),
    startDate: day("The first day."),
    frequency: z.enum(["Weekly", "Monthly", "Quarterly", "Annual"]).default("Monthly"),
    dayOfExecution: z.int().min(1).max(31).describe("31 is the last day of a month."),
  }),
  handle: async ({ tppId, path, body }, { namespaces }) => {
    const { amount: amountMinor, startDate: startOn, ...order } = body;
    const made = { ...order, amountMinor, startOn };
    const { id } = await namespaces.addStandingOrder(tppId, path.accountId, made);
    return { standingOrderId: id };
  },
  answer: z.strictObject({ standingOrderId: z.string() }),
});

const coreBank = z.strictObject({
  state: z
    .enum(coreBankStates)
    .describe(
      "away: no call succeeds; slow: each takes three seconds longer; broken: each is done and its answer is lost.",
    ),
});

const readCoreBank = operation({
  operationId: "readCoreBank",
  summary: "How the core bank is for the PSUs and accounts of the namespace",
  path: none,
  handle: async ({ tppId }, { namespaces }) => ({ state: await namespaces.coreBankState(tppId) }),
  answer: coreBank,
});

const setCoreBank = operation({
  operationId: "setCoreBank",
  summary: "Makes the core bank away, slow, broken or available again, for the namespace alone",
  path: none,
  body: coreBank,
  handle: async ({ tppId, body: { state } }, { namespaces }) => ({
    state: await namespaces.setCoreBankState(tppId, state),
  }),
  answer: coreBank,
});

const clock = {
  aheadSeconds: z.int().min(0).max(AHEAD_SECONDS_MAX).describe("0 for the sandbox's own clock."),
};
const clockSent = z.strictObject({ ...clock, now: z.string() });

const readClock = operation({
  operationId: "readClock",
  summary: "The time of the namespace, and how far it is ahead of the sandbox's clock",
  path: none,
  handle: clockOf,
  answer: clockSent,
});

const setClock = operation({
  operationId: "setClock",
  summary: "Gives the namespace a clock of its own, which is ahead of the sandbox's",
  path: none,
  body: z.strictObject(clock),
  handle: async (call, services) => {
    if (await services.sandboxClock.setAhead(call.tppId, call.body.aheadSeconds)) {
      return clockOf(call, services);
    }
    throw reject("STATUS_INVALID", "too many TPPs of this sandbox have a clock of their own");
  },
  answer: clockSent,
});

async function clockOf({ tppId }: { readonly tppId: TppId }, { sandboxClock }: InSandbox) {
  const aheadSeconds = await sandboxClock.aheadOf(tppId);
  return { aheadSeconds, now: (await sandboxClock.now(tppId)).toISOString() };
}

const reset = operation({
  operationId: "reset",
  summary:
    "Ends every PSU and account of the namespace, has its core bank available and its clock the sandbox's",
  path: none,
  handle: async ({ tppId }, { namespaces, sandboxClock, profile }) => {
    // By the sandbox's clock: with the namespace's own, the TPP would begin a day when it likes.
    const ended = await namespaces.reset(tppId, { profile, now: await sandboxClock.now() });
    await sandboxClock.setAhead(tppId, 0);
    return ended;
  },
  answer: z.strictObject({ psus: z.int(), accounts: z.int() }),
});

const account = "/accounts/{accountId}";

export const operations = {
  "/psus": { GET: listPsus, POST: createPsu },
  "/psus/{psuId}/payment-limit": { PUT: setPaymentLimit },
  "/psus/{psuId}/messages": { GET: listMessages },
  "/psus/{psuId}/accounts": { POST: createAccount },
  "/accounts": { GET: listAccounts },
  [`${account}/overdraft`]: { PUT: setOverdraft },
  [`${account}/owners`]: { POST: addOwner },
  [`${account}/entries`]: { POST: addEntry },
  [`${account}/standing-orders`]: { POST: addStandingOrder },
  "/core-bank": { GET: readCoreBank, PUT: setCoreBank },
  "/clock": { GET: readClock, PUT: setClock },
  "/reset": { POST: reset },
} as const;
