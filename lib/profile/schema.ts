import * as z from "zod";
import { paymentProducts } from "@/lib/domain/bank-profile";
import { type Currency, fractionDigitsOf, parseAmount } from "@/lib/domain/values";
import { isReplaceable } from "@/lib/psu/texts/replaced";
import { faintPairs, themeSchema } from "./theme";

/** What `whole` of numbers says: the value without the file's own, and the least and the greatest that it may be. */
type Range = readonly [preset: number, min: number, max: number];

const whole = ([preset, min, max]: Range, description: string) =>
  bounded(min, max).default(preset).meta({ description });

function bounded(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
}

/** A part of which the file may leave out everything. */
const part = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z
    .strictObject(shape)
    .prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
    .meta({ description });

const text = (expected: string, pattern: RegExp) =>
  z.string(`expected ${expected}`).regex(pattern, `expected ${expected}`);

const currency = text("a currency as three capital letters, such as EUR", /^[A-Z]{3}$/);

const AMOUNT = 'an amount and its currency, such as "15000.00 EUR"';
const money = text(AMOUNT, /^\d{1,12}(\.\d{1,4})? [A-Z]{3}$/).transform((written, context) => {
  const [amount = "", code = ""] = written.split(" ");
  const minorUnits = parseAmount(amount, fractionDigitsOf(code as Currency));
  if (minorUnits !== undefined) return { currency: code as Currency, minorUnits };
  context.addIssue(`expected ${AMOUNT}, with as many decimals as ${code} has`);
  return z.NEVER;
});

const RATE = "a rate for one euro above zero, with four decimals at most, such as 5.09";
const rate = z
  .number(`expected ${RATE}`)
  .positive(`expected ${RATE}`)
  .max(1_000_000, `expected ${RATE}`)
  .refine((given) => Math.abs(given * 10_000 - Math.round(given * 10_000)) < 1e-6, {
    error: `expected ${RATE}`,
  })
  .transform((given) => BigInt(Math.round(given * 10_000)));

const chargeBearer = z.enum(["DEBT", "CRED", "SHAR", "SLEV"]);

const product = z
  .strictObject({
    offered: z.boolean().default(true).meta({
      description:
        "Without it no payment begins; those that have begun are completed by these terms.",
    }),
    currencies: z.tuple([currency], currency),
    cutOff: text('a local time such as "17:30"', /^([01]\d|2[0-3]):[0-5]\d$/)
      .optional()
      .meta({
        description:
          "From then on, and on days on which TARGET is closed, the embedded ledger settles on the next banking day. Without it at any time.",
      }),
    limit: money.meta({ description: "The most in one payment, for every payer." }),
    fee: money.meta({ description: "Charged besides the amount unless the creditor bears it." }),
    settlesAfterSeconds: bounded(0, 864_000).meta({
      description: "From the debit to the settlement, in the embedded ledger.",
    }),
    reportsCredit: z.boolean().meta({
      description:
        "The creditor's bank tells that the money has arrived: the payment ends with ACCC.",
    }),
    crossBorder: z.boolean().meta({
      description: "Needs the creditor's bank and country, and lets the charges be shared out.",
    }),
    chargeBearers: z.tuple([chargeBearer], chargeBearer).meta({
      description:
        "The first is meant when the TPP names none; with one alone, naming any is refused.",
    }),
  })
  .optional()
  .transform((terms) => terms ?? NEVER_OFFERED);

/** By the path to a text. Of texts with a place for a value none can be replaced. */
const wordings = z.record(
  text("the name of a text, such as frame.place", /^[\w-]+(\.[\w-]+)*$/),
  text("a text of 1 to 500 characters", /^[^<>]{1,500}$/u),
);

const nothing = { currency: "EUR" as Currency, minorUnits: 0n };
const NEVER_OFFERED = {
  offered: false,
  currencies: ["EUR"] as [string],
  limit: nothing,
  fee: nothing,
  settlesAfterSeconds: 0,
  reportsCredit: false,
  crossBorder: false,
  chargeBearers: ["SLEV"] as ["SLEV"],
};

const products = z.strictObject(
  Object.fromEntries(paymentProducts.map((name) => [name, product])) as Record<
    (typeof paymentProducts)[number],
    typeof product
  >,
);

/**
 * The one description of a bank's file: what it may hold, what holds without it, and what editors show of it
 * (docs/bank-profile.schema.json). Rules of the regulation are bounds here, so that no file can break them.
 */
const bank = z.strictObject({
  name: text("the bank's name, of 2 to 70 characters", /^\S.{0,68}\S$/u),
  bic: text("a BIC of 8 or 11 capital letters and digits", /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/),
  country: text("a country as two capital letters, such as RO", /^[A-Z]{2}$/),
  bankCode: text(
    "the bank's code within its IBANs, of capital letters and digits",
    /^[A-Z0-9]{3,8}$/,
  ).meta({ description: "Follows the two check digits of the IBAN of each account of this bank." }),
  timeZone: z
    .string("expected a time zone, such as Europe/Bucharest")
    .refine(isTimeZone, "expected a time zone, such as Europe/Bucharest")
    .meta({ description: "`validUntil` and the days of the books are local days of the bank." }),
  languages: z
    .array(z.enum(["en", "ro"]))
    .min(1, "expected a language at least")
    .default(["ro", "en"])
    .meta({
      description: "Of the PSU's pages and messages, in the order in which they are shown.",
    }),
  defaultLanguage: z.enum(["en", "ro"]).default("en").meta({
    description: "Of a PSU of whom neither the TPP nor the browser says which language it reads.",
  }),
  support: z
    .strictObject({
      phone: text(
        "a telephone number in international form, such as +40 21 555 01 00",
        /^\+[0-9 ]{7,20}$/,
      ),
      email: z.email("expected an e-mail address"),
      developersEmail: z.email("expected an e-mail address"),
    })
    .meta({
      description:
        "Phone and e-mail stand on every page of the PSU; the developers' e-mail in the description of the API.",
    }),
  features: part("What is offered besides accounts and payments.", {
    fundsConfirmation: z.boolean().default(true).meta({
      description: "Without it the endpoints of PSD2 art. 65 say that nothing is there.",
    }),
    standingOrders: z.boolean().default(true).meta({
      description:
        "Without it a report has no standing orders: bookingStatus information and all are refused.",
    }),
    severalRecurringConsents: z.boolean().default(false).meta({
      description:
        "Without it a recurring consent that a PSU authorises ends the TPP's former one (NextGenPSD2 1.3.12).",
    }),
  }),

  accountConsent: part("What a consent to read accounts may ask for.", {
    recurringDaysMax: whole([180, 1, 180], "RTS art. 10a: 180 days from one SCA to the next."),
    oneOffMinutes: whole([10, 1, 60], "How long a consent for one access may be used."),
    frequencyPerDayMax: whole([4, 4, 1_000], "Without the PSU; RTS art. 36(5)(b): four at least."),
    frequencyWindowHours: whole([24, 1, 24], "The rolling window of that number."),
    historyDays: whole([90, 90, 90], "Transactions without a new SCA; RTS art. 10(1)(b), 10a."),
    unlimitedHistoryMinutes: whole([10, 5, 60], "After SCA, in which older ones may be read."),
    accountReferencesMax: whole([50, 1, 200], "Accounts that one consent may name."),
  }),

  sca: part("How long a PSU has, and how often it may try.", {
    approvalMinutes: whole(
      [5, 1, 30],
      "How long the customer's app, or the identity provider's page, has for an answer.",
    ),
    windowMinutes: whole(
      [15, 2, 60],
      "From the creation of the resource to the end of the PSU's authorisation.",
    ),
    windowMinutesMax: whole(
      [165, 22, 1_440],
      "With every extension that the PSU asks for: WCAG 2.2, 2.2.1 wants ten at least.",
    ),
    openPerTppMax: whole(
      [5_000, 10, 1_000_000],
      "Authorisations of one TPP that nobody has decided yet, at one time. Enough for five new ones a second whose PSUs all stay away until the window is over.",
    ),
    openRetryAfterSeconds: whole([60, 1, 3_600], "When to try again beyond that."),
    failedAttemptsMax: whole(
      [5, 1, 5],
      "In a row: of one authorisation, and of one user ID over all of them. RTS art. 4(3)(b): five at most.",
    ),
    secondFactorFailuresMax: whole(
      [10, 1, 100],
      "Of codes and passkeys alone, since the last success: then only a passkey or the bank lifts the block.",
    ),
    blockMinutes: whole(
      [15, 1, 1_440],
      "A block by failures in a row, each time. RTS art. 4(3)(b).",
    ),
    failuresKeptDays: whole(
      [30, 1, 365],
      "Without a success a row of failures ends when this long nothing was tried.",
    ),
    passwordFailuresKeptHours: whole(
      [24, 1, 720],
      "The same where passwords alone have failed, as those of user IDs that nobody has always do.",
    ),
    codeDigits: whole([6, 6, 8], "Of a one-time code."),
    codeMinutes: whole([5, 1, 5], "How long a one-time code is good for."),
    codesSentMax: whole([4, 1, 4], "Codes of one authorisation, three of them sent again."),
    codesUndeliveredMax: whole(
      [6, 1, 20],
      "Texts that the gateway has not taken, which are not counted with those that were sent.",
    ),
    textsPerHourMax: whole(
      [20, 1, 100],
      "Codes to one PSU's phone in any hour, whatever they are for and whether or not they arrive.",
    ),
    noticesPerHourMax: whole(
      [3, 0, 20],
      "Notices of a block that may be sent in an hour in which all of those codes were sent.",
    ),
    passkeyMinutes: whole([5, 1, 15], "Of a passkey's challenge."),
    passkeysMax: whole([10, 1, 50], "Of one PSU."),
    inactivityMinutes: whole([5, 1, 5], "RTS art. 4(3)(d): five at most."),
    sessionMinutes: whole([165, 22, 1_440], "However active: a session serves one window."),
  }),

  signInThrottle: part(
    "Wrong passwords, by where they come from: one IPv4 address, or one /64 of IPv6.",
    {
      pauseSecondsAfterFailure: z
        .array(bounded(0, 86_400))
        .min(1)
        .max(20)
        .default([0, 0, 15, 900, 3_600])
        .meta({
          description:
            "Before the next password for the same user ID is judged; the last holds for all after it.",
        }),
      networkFailuresMax: whole(
        [20, 1, 10_000],
        "For any user IDs, until the window that began with the first of them is over.",
      ),
      networkWindowMinutes: whole([15, 1, 1_440], "That window."),
      keptHours: whole([24, 1, 720], "How long failures are remembered."),
      hashesAtOnce: whole(
        [3, 1, 64],
        "Password hashes that one process computes at once; the others wait, by turns of their networks. Read at start.",
      ),
      waitingMax: whole([100, 1, 10_000], "Read at start."),
      waitingPerNetworkMax: whole([10, 1, 1_000], "Read at start."),
      unlockedMinutes: whole(
        [15, 1, 1_440],
        "How long a passkey lets passwords of its owner be judged in spite of a block.",
      ),
    },
  ),

  ownChannel: part("The bank's own channel: permissions and passkeys.", {
    inactivityMinutes: whole([5, 1, 5], "RTS art. 4(3)(d): five at most."),
    sessionMinutes: whole(
      [60, 5, 480],
      "From SCA on, however active; and from the password to SCA.",
    ),
    addPasskeyMinutes: whole([5, 1, 60], "From SCA on."),
    permissionsPerPage: whole([20, 1, 100], "Rows of the list of one TPP."),
    tppsPerPage: whole([10, 1, 100], "TPPs in the list of all."),
    newestOfTppMax: whole([3, 1, 20], "Of each TPP in the list of all."),
    pastShownDays: whole(
      [731, 731, 3_650],
      "What has ended longer ago is not listed any more; PSR art. 43: two years at least.",
    ),
    readsPerPage: whole([50, 1, 200], "Rows of a permission's accesses."),
    csvRowsMax: whole([5_000, 1, 100_000], "Of a download; the newest come first."),
  }),

  staff: part("The console of the bank's staff.", {
    inactivityMinutes: whole([15, 1, 60], "Until an operator has to sign in again."),
    sessionMinutes: whole([480, 5, 720], "From the sign-in on, however active."),
    rowsPerPage: whole([50, 1, 500], "Of a table."),
    csvRowsMax: whole([5_000, 1, 100_000], "Of a download."),
    refusalsKeptDays: whole([30, 1, 365], "What a TPP was told when it was refused."),
    refusalsPerTppAndMinuteMax: whole(
      [60, 1, 10_000],
      "Of one TPP, each minute and process; the others are counted by the statistics only.",
    ),
  }),

  retention: part("How long what is over is kept.", {
    accessLogDays: whole(
      [397, 397, 3_650],
      "What TPPs have read. Thirteen months at least: for so long a PSU may contest a payment (PSD2 art. 71), and the bank may be asked who knew of the account.",
    ),
  }),

  oauth: part("Codes and tokens.", {
    codeSeconds: whole([60, 10, 600], "RFC 6749 4.1.2: ten minutes at most."),
    accessTokenSeconds: whole([900, 60, 3_600], "Of an access token."),
    paymentTokenMinutes: whole(
      [60, 1, 1_440],
      "From the end of a payment's SCA window: until then it has a token, which is not refreshed.",
    ),
    refreshGraceSeconds: whole(
      [60, 0, 300],
      "How long a TPP whose connection broke may repeat a refresh with the same token.",
    ),
  }),

  request: part("Of one request.", {
    bodyBytesMax: whole([65_536, 4_096, 1_048_576], "Of a body."),
    jsonDepthMax: whole([20, 10, 100], "Of JSON."),
    jsonMembersMax: whole(
      [500, 100, 10_000],
      "Of JSON: of all objects together, and of all arrays together.",
    ),
    dateSkewSeconds: whole(
      [300, 1, 3_600],
      "How far the `Date` of a signed request may be from ours.",
    ),
    consentAnswerHours: whole(
      [24, 1, 168],
      "How long the same request for a consent is answered again, while the consent is `received`.",
    ),
    headerCharactersMax: whole([2_000, 500, 8_000], "Of one header."),
  }),

  tppRequestsPerMinuteMax: whole(
    [60_000, 1, 100_000_000],
    "Of one TPP over all servers. For a bank of a million customers: a TPP that reads the accounts of a fifth of them, four times a day and five calls each time, sends 46 requests a second on average, and some hundreds at night; this is a thousand a second. TPP_REQUESTS_PER_MINUTE sets another.",
  ),

  connections: part("Open ones, of each host in each process. Read at start.", {
    perHostMax: whole([1_000, 10, 100_000], "Of all clients."),
    perAddressMax: whole(
      [250, 1, 100_000],
      "Of one IPv4 address or one IPv6 network of 64 bits, which is not a proxy's.",
    ),
    keepAliveSeconds: whole([60, 1, 600], "Between two requests."),
    keepAliveUnknownSeconds: whole(
      [5, 1, 600],
      "The same until an answer has shown that the connection's certificate is accepted.",
    ),
  }),

  requestsAtOnce: part("Requests of TPPs, in each process of the TPP host. Read at start.", {
    max: whole([64, 1, 1_000], "Of all TPPs; the next to run is taken from each of them in turn."),
    perTppMax: whole(
      [16, 1, 1_000],
      "Of one TPP; all callers without an accepted certificate count as one.",
    ),
    perTppProcessorPercent: whole(
      [20, 1, 100],
      "Of the processor time of the process, for one TPP while others ask too; what is beyond it waits.",
    ),
    waitingPerTppMax: whole([100, 1, 10_000], "Beyond it a request is refused."),
  }),

  transactionsPerPage: whole([100, 1, 1_000], "Of an account's transactions."),

  payments: z.strictObject({
    products: products.meta({ description: "A product that is not here is not offered." }),
    psuDayLimit: money.meta({
      description:
        "What one PSU may send in one local day, all currencies together at the indicative rates.",
    }),
    fundsWaitHours: whole(
      [24, 0, 240],
      "How long a payment without funds waits for them before it is rejected.",
    ),
    fundsRetrySeconds: whole([30, 1, 3_600], "How often a waiting payment's account is looked at."),
    executionEverySeconds: whole(
      [1, 1, 60],
      "How often a server looks for payments whose next step is due. Read at start.",
    ),
    executionRowsAtOnce: whole([20, 1, 1_000], "In one such turn."),
    submission: part(
      "An authorised payment that the core bank has not answered about is submitted again.",
      {
        rowsAtOnce: whole([20, 1, 1_000], "In one turn."),
        retrySeconds: whole([5, 1, 600], "After the first attempt; longer after each."),
        retrySecondsMax: whole([30, 1, 3_600], "The longest."),
      },
    ),
  }),

  fundsConfirmation: part("How much a TPP may learn by asking whether funds are available.", {
    checksSavedMax: whole(
      [20, 1, 1_000],
      "Checks a consent may save up: enough for a card's purchases. They alone stop no search: twenty halvings find any balance.",
    ),
    secondsPerCheck: whole([60, 1, 3_600], "How fast it gets them back."),
    search: part(
      "What one TPP may learn of one account by yes and no, over all of its consents, cards and currencies (docs/cbpii.md).",
      {
        amountsMax: whole(
          [60, 1, 10_000],
          "Different amounts in a rolling window; the same one again is free.",
        ),
        amountsHours: whole([24, 1, 168], "That window."),
        closestPercent: whole(
          [150, 101, 1_000],
          "An amount between the highest yes and the lowest no has to leave this much between itself and both.",
        ),
        closeAmountsMax: whole(
          [6, 0, 100],
          "As many may leave less while only one of the two is known: a purchase slightly above the highest one.",
        ),
        boundsKeptDays: whole(
          [30, 1, 365],
          "As long as the available amount stays between them; once it has left them, they are forgotten.",
        ),
      },
    ),
    refreshDays: whole(
      [180, 1, 365],
      "Of a refresh token, from its last use on (the consent itself has no end).",
    ),
  }),

  ratesPerEuro: z.record(currency, rate).meta({
    description: "Units for one euro; indicative, and applied where currencies differ.",
  }),

  theme: themeSchema,
  texts: z.strictObject({ en: wordings.optional(), ro: wordings.optional() }).prefault({}).meta({
    description: "In place of the pages' own, by name: lib/psu/texts/en.ts has them all.",
  }),

  sweep: part("Ends and removes what time has ended and nobody reads any more.", {
    everySeconds: whole([60, 1, 3_600], "Read at start."),
    rowsAtOnce: whole([200, 10, 10_000], "In one turn."),
  }),
});

type Bank = z.infer<typeof bank>;

type Rule = {
  readonly path: readonly string[];
  readonly expected: string;
  readonly holds: (given: Bank) => boolean;
};

type Limits = "connections" | "ownChannel" | "requestsAtOnce" | "sca" | "signInThrottle" | "staff";

/** Of two numbers of one part. */
const atMost = <Part extends Limits>(
  part: Part,
  lesser: keyof Bank[Part] & string,
  greater: keyof Bank[Part] & string,
): Rule => ({
  path: [part, lesser],
  expected: `at most ${greater}`,
  holds: (given) => given[part][lesser] <= given[part][greater],
});

/** What no single value can say: each rule with the place that is wrong, and what is expected there. */
const rules: readonly Rule[] = [
  {
    path: ["bic"],
    expected: "a BIC of the bank's country, which its fifth and sixth characters name",
    holds: ({ bic, country }) => bic.slice(4, 6) === country,
  },
  {
    path: ["defaultLanguage"],
    expected: "one of languages",
    holds: ({ defaultLanguage, languages }) => languages.includes(defaultLanguage),
  },
  {
    path: ["languages"],
    expected: "each language once",
    holds: ({ languages }) => new Set(languages).size === languages.length,
  },
  {
    path: ["sca", "windowMinutesMax"],
    expected: "at least eleven times windowMinutes, for ten extensions (WCAG 2.2, 2.2.1)",
    holds: ({ sca }) => sca.windowMinutesMax >= 11 * sca.windowMinutes,
  },
  {
    path: ["sca", "sessionMinutes"],
    expected: "at least windowMinutesMax: a session serves a whole window",
    holds: ({ sca }) => sca.sessionMinutes >= sca.windowMinutesMax,
  },
  atMost("sca", "codeMinutes", "windowMinutes"),
  atMost("ownChannel", "inactivityMinutes", "sessionMinutes"),
  atMost("staff", "inactivityMinutes", "sessionMinutes"),
  atMost("signInThrottle", "waitingPerNetworkMax", "waitingMax"),
  atMost("connections", "perAddressMax", "perHostMax"),
  atMost("requestsAtOnce", "perTppMax", "max"),
  atMost("connections", "keepAliveUnknownSeconds", "keepAliveSeconds"),
  {
    path: ["payments", "submission", "retrySeconds"],
    expected: "at most retrySecondsMax",
    holds: ({ payments: { submission } }) => submission.retrySeconds <= submission.retrySecondsMax,
  },
  {
    path: ["ratesPerEuro", "EUR"],
    expected: "1, as the rate of the euro",
    holds: ({ ratesPerEuro }) => ratesPerEuro["EUR"] === 10_000n,
  },
];

export const profileSchema = bank.superRefine((given, context) => {
  for (const { path, expected, holds } of rules) {
    if (!holds(given))
      context.addIssue({ code: "custom", path: [...path], message: `expected ${expected}` });
  }
  for (const { path, currency } of currenciesIn(given)) {
    if (given.ratesPerEuro[currency] !== undefined) continue;
    const message = `expected a currency of ratesPerEuro, which has none for ${currency}`;
    context.addIssue({ code: "custom", path: [...path], message });
  }
  for (const { path, message } of given.theme === undefined ? [] : faintPairs(given.theme)) {
    context.addIssue({ code: "custom", path, message });
  }
  for (const language of ["en", "ro"] as const) {
    for (const name of Object.keys(given.texts[language] ?? {})) {
      if (isReplaceable(language, name)) continue;
      const message = "expected the name of a text without a place for a value";
      context.addIssue({ code: "custom", path: ["texts", language, name], message });
    }
  }
});

function currenciesIn({ payments }: Bank) {
  const ofProducts = paymentProducts.flatMap((name) => {
    // Of what is not offered any more, too: payments that have begun are completed by these terms.
    const { currencies, limit, fee } = payments.products[name];
    const path = ["payments", "products", name];
    return [
      ...currencies.map((one, at) => ({ path: [...path, "currencies", at], currency: one })),
      { path: [...path, "limit"], currency: limit.currency as string },
      { path: [...path, "fee"], currency: fee.currency as string },
    ];
  });
  const day = {
    path: ["payments", "psuDayLimit"],
    currency: payments.psuDayLimit.currency as string,
  };
  return [...ofProducts, day];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
