import { type Currency, fractionDigitsOf, type Money } from "./values";

/**
 * What this bank offers, as data: every limit with its unit in its name. Rules read it, tests state
 * it in the specification's words, and another bank changes this file only.
 */
export const aspspProfile = {
  name: "Drawbridge Bank",
  bic: "DRWBROBU",
  country: "RO",
  bankCode: "DRWB",
  /** `validUntil` and the days of the books are local days of the bank. */
  timeZone: "Europe/Bucharest",
  /** Of a PSU of whom neither the TPP nor the browser says which language it reads. */
  defaultLanguage: "en",

  /** Of the name of a TPP or payee, spelled-out characters counted as they are written. */
  names: { onPageCharactersMax: 70, inTextMessageCharactersMax: 40 },

  accountConsent: {
    recurringDaysMax: 180,
    oneOffMinutes: 10,
    frequencyPerDayMax: 4,
    frequencyWindowHours: 24,
    historyDays: 90,
    unlimitedHistoryMinutes: 10,
    accountReferencesMax: 50,
  },

  sca: {
    /** How a PSU confirms, in the order in which it is offered; PSU_SCA sets another. */
    means: ["passkey", "code"] as readonly ScaMeans[],
    /** Whether the identity provider has to say in its answer what the customer has approved. */
    approvedDetailsReturned: false as boolean,
    /** How long the customer's app, or the identity provider's page, has for an answer. */
    approvalMinutes: 5,
    /** From the creation of the resource to the end of the PSU's authorisation. */
    windowMinutes: 15,
    /** With every extension that the PSU asks for: WCAG 2.2, 2.2.1 wants ten at least. */
    windowMinutesMax: 165,
    /**
     * Authorisations of one TPP that nobody has decided yet, at one time. Enough for five new ones a second
     * whose PSUs all stay away until the window is over.
     */
    openPerTppMax: 5_000,
    /** When to try again beyond that. */
    openRetryAfterSeconds: 60,
    /** In a row: of one authorisation, and of one user ID over all authorisations and servers. */
    failedAttemptsMax: 5,
    /** Of codes and passkeys alone, since the last success: then only a passkey or the bank lifts the block. */
    secondFactorFailuresMax: 10,
    /** A block by failures in a row, each time. RTS art. 4(3)(b). */
    blockMinutes: 15,
    /** Without a success a row of failures ends when this long nothing was tried. */
    failuresKeptDays: 30,
    /** The same where passwords alone have failed, as those of user IDs that nobody has always do. */
    passwordFailuresKeptHours: 24,
    codeDigits: 6,
    codeMinutes: 5,
    codesSentMax: 4,
    /** Texts that the gateway has not taken, which are not counted with those that were sent. */
    codesUndeliveredMax: 6,
    /** Codes to one PSU's phone in any hour, whatever they are for and whether or not they arrive. */
    textsPerHourMax: 20,
    /** Notices of a block that may be sent in an hour in which all of those codes were sent. */
    noticesPerHourMax: 3,
    /** Of a passkey's challenge. */
    passkeyMinutes: 5,
    passkeysMax: 10,
    /** RTS art. 4(3)(d). */
    inactivityMinutes: 5,
    /** However active: a session serves one window. */
    sessionMinutes: 165,
  },

  /** Wrong passwords, by where they come from: one IPv4 address, or one /64 of IPv6. */
  signInThrottle: {
    /** Before the next password for the same user ID is judged; the last holds for all after it. */
    pauseSecondsAfterFailure: [0, 0, 15, 900, 3_600],
    /** For any user IDs, until the window that began with the first of them is over. */
    networkFailuresMax: 20,
    networkWindowMinutes: 15,
    keptHours: 24,
    /** Password hashes that one process computes at once; the others wait, by turns of their networks. */
    hashesAtOnce: 3,
    waitingMax: 100,
    waitingPerNetworkMax: 10,
    /** How long a passkey lets passwords of its owner be judged in spite of a block. */
    unlockedMinutes: 15,
  },

  /** The bank's own channel: permissions and passkeys. */
  ownChannel: {
    /** RTS art. 4(3)(d). */
    inactivityMinutes: 5,
    /** From SCA on, however active; and from the password to SCA. */
    sessionMinutes: 60,
    /** From SCA on. */
    addPasskeyMinutes: 5,
    permissionsPerPage: 20,
    tppsPerPage: 10,
    /** Of each TPP in the list of all. */
    newestOfTppMax: 3,
    /** What has ended longer ago is not listed any more (PSR art. 43). */
    pastShownDays: 731,
    readsPerPage: 50,
    /** Of a download; the newest come first. */
    csvRowsMax: 5_000,
  },

  /** The console of the bank's staff. */
  staff: {
    inactivityMinutes: 15,
    /** From the sign-in on, however active. */
    sessionMinutes: 480,
    rowsPerPage: 50,
    csvRowsMax: 5_000,
    /** What a TPP was told when it was refused. */
    refusalsKeptDays: 30,
    /** Of one TPP, each minute and process; the others are counted by the statistics only. */
    refusalsPerTppAndMinuteMax: 60,
  },

  /**
   * What TPPs have read: thirteen months, for as long as a PSU may contest a payment (PSD2 art. 71) it
   * can be asked who knew of the account.
   */
  accessLogKeptDays: 397,

  oauth: {
    codeSeconds: 60,
    accessTokenSeconds: 900,
    /** From the end of a payment's SCA window: until then it has a token, which is not refreshed. */
    paymentTokenMinutes: 60,
    /** How long a TPP whose connection broke may repeat a refresh with the same token. */
    refreshGraceSeconds: 60,
  },

  request: {
    bodyBytesMax: 65_536,
    jsonDepthMax: 20,
    jsonMembersMax: 500,
    /** How far the `Date` of a signed request may be from ours. */
    dateSkewSeconds: 300,
    /** How long the same request for a consent is answered again, while the consent is `received`. */
    consentAnswerHours: 24,
    headerCharactersMax: 2_000,
    headersBytesMax: 16_384,
    /** When to ask again while the bank cannot answer; it is back soon after its database is. */
    retryAfterSeconds: 2,
  },

  /**
   * Of one TPP over all servers. For a bank of a million customers: a TPP that reads the accounts of a fifth
   * of them, four times a day and five calls each time, sends 46 requests a second on average, and some
   * hundreds at night; this is a thousand a second. Another one is set by TPP_REQUESTS_PER_MINUTE.
   */
  tppRequestsPerMinuteMax: 60_000,

  /** Open ones, of each host in each process. */
  connections: {
    perHostMax: 1_000,
    /** Of one IPv4 address or one IPv6 network of 64 bits, which is not a proxy's. */
    perAddressMax: 250,
    keepAliveSeconds: 60,
    /** Until an answer has shown that the connection's certificate is accepted. */
    keepAliveUnknownSeconds: 5,
  },

  transactionsPerPage: 100,

  /** Of the answers of one form, one in so many is held against it before it leaves, the first among them. */
  answersCheckedOneIn: 50,

  payments: {
    /** The only service; of periodic and bulk payments nothing is offered. */
    service: "payments",
    products: {
      "sepa-credit-transfers": {
        currencies: ["EUR"],
        limit: money("EUR", 1_500_000n),
        fee: money("EUR", 0n),
        settlesAfterSeconds: 5,
        reportsCredit: false,
        crossBorder: false,
        chargeBearers: ["SLEV"],
      },
      "instant-sepa-credit-transfers": {
        currencies: ["RON"],
        limit: money("RON", 5_000_000n),
        fee: money("RON", 0n),
        settlesAfterSeconds: 0,
        reportsCredit: true,
        crossBorder: false,
        chargeBearers: ["SLEV"],
      },
      "target-2-payments": {
        currencies: ["EUR"],
        limit: money("EUR", 1_500_000n),
        fee: money("EUR", 600n),
        settlesAfterSeconds: 2,
        reportsCredit: false,
        crossBorder: false,
        chargeBearers: ["SHAR", "DEBT", "CRED", "SLEV"],
      },
      "cross-border-credit-transfers": {
        currencies: ["EUR", "RON", "USD", "GBP", "CHF", "PLN", "NOK", "SEK", "HUF", "DKK", "CAD"],
        limit: money("EUR", 1_500_000n),
        fee: money("EUR", 1_000n),
        settlesAfterSeconds: 8,
        reportsCredit: false,
        crossBorder: true,
        chargeBearers: ["SHAR", "DEBT", "CRED", "SLEV"],
      },
    } satisfies Readonly<Record<string, ProductTerms>>,
    /** What one PSU may send in one local day, all currencies together at the indicative rates. */
    psuDayLimit: money("EUR", 5_000_000n),
    /** How long a payment without funds waits for them before it is rejected. */
    fundsWaitHours: 24,
    /** How often a waiting payment's account is looked at again. */
    fundsRetrySeconds: 30,
    /** How often a server looks for payments whose next step is due. */
    executionEverySeconds: 1,
    executionRowsAtOnce: 20,
    /** An authorised payment that the core bank has not answered about is submitted again. */
    submission: { rowsAtOnce: 20, retrySeconds: 5, retrySecondsMax: 30 },
  },

  fundsConfirmation: {
    /**
     * Checks a consent may save up, and how fast it gets them back: enough for a card's purchases. They alone
     * stop no search: twenty halvings find any balance.
     */
    checksSavedMax: 20,
    secondsPerCheck: 60,
    /**
     * What one TPP may learn of one account by yes and no, over all of its consents, cards and currencies. How
     * close that is, is in docs/cbpii.md. Purchases are mostly a yes, and seldom the highest for a month.
     */
    search: {
      /** Different amounts in a rolling 24 hours; the same one again is free. */
      amountsMax: 60,
      amountsHours: 24,
      /** An amount between the highest yes and the lowest no has to leave this much between itself and both. */
      closestPercent: 150,
      /** As many may leave less while only one of the two is known: a purchase slightly above the highest one. */
      closeAmountsMax: 6,
      /** As long as the available amount stays between them; once it has left them, they are forgotten. */
      boundsKeptDays: 30,
    },
    /** Of a refresh token, from its last use on (the consent itself has no end). */
    refreshDays: 180,
  },

  /** Units for one euro, in ten-thousandths; indicative, and applied where currencies differ. */
  ratesPerEuro: {
    EUR: 10_000n,
    RON: 50_900n,
    USD: 11_600n,
    GBP: 8_800n,
    CHF: 9_300n,
    PLN: 42_400n,
    NOK: 117_000n,
    SEK: 110_000n,
    HUF: 3_850_000n,
    DKK: 74_600n,
    CAD: 162_000n,
  },

  /** Ends and removes what time has ended and nobody reads any more. */
  sweep: {
    everySeconds: 60,
    rowsAtOnce: 200,
  },
} as const;

export type AspspProfile = typeof aspspProfile;

/**
 * The second element of SCA: a code to the PSU's phone, a passkey, the bank's app asked by the identity provider
 * (OpenID CIBA), or the identity provider's own page (OpenID Connect with a higher `acr`).
 */
export type ScaMeans = "ciba" | "code" | "oidc" | "passkey";

/** Who pays the banks' charges; ISO 20022 ChargeBearerType1Code. */
export type ChargeBearer = "DEBT" | "CRED" | "SHAR" | "SLEV";

/** What the bank offers under the name of one payment product. */
export type ProductTerms = {
  readonly currencies: readonly [string, ...string[]];
  /** The most in one payment, for every payer; other currencies at the indicative rate. */
  readonly limit: Money;
  /** Charged besides the amount unless the creditor bears the charges. */
  readonly fee: Money;
  /** From the debit to the settlement. */
  readonly settlesAfterSeconds: number;
  /** The creditor's bank tells that the money has arrived: the payment ends with ACCC. */
  readonly reportsCredit: boolean;
  /** Needs the creditor's bank and country, and lets the charges be shared out. */
  readonly crossBorder: boolean;
  /** The first is meant when the TPP names none; with one alone, naming any is refused. */
  readonly chargeBearers: readonly [ChargeBearer, ...ChargeBearer[]];
};

export function money(currency: string, minorUnits: bigint): Money {
  return { currency: currency as Currency, minorUnits };
}

export type PaymentProduct = keyof AspspProfile["payments"]["products"];

export function isProduct(profile: AspspProfile, name: string): name is PaymentProduct {
  return Object.hasOwn(profile.payments.products, name);
}

export function termsOf(profile: AspspProfile, product: PaymentProduct): ProductTerms {
  return profile.payments.products[product];
}

/**
 * The amount in another currency at the bank's indicative rate, rounded to the minor unit, half away
 * from zero; what is more than nothing stays more than nothing. Throws on a currency without a rate.
 */
export function convert(
  { currency, minorUnits }: Money,
  to: Currency,
  profile: AspspProfile,
): Money {
  if (currency === to) return { currency, minorUnits };
  const product = minorUnits * rateOf(profile, to) * minorUnitsOf(to);
  const rate = rateOf(profile, currency) * minorUnitsOf(currency);
  const half = product < 0n ? -rate / 2n : rate / 2n;
  const rounded = (product + half) / rate;
  return { currency: to, minorUnits: rounded === 0n ? signOf(minorUnits) : rounded };
}

export function hasRate(currency: Currency, { ratesPerEuro }: AspspProfile): boolean {
  return Object.hasOwn(ratesPerEuro, currency);
}

/** Of one unit. */
function minorUnitsOf(currency: Currency): bigint {
  return 10n ** BigInt(fractionDigitsOf(currency));
}

function signOf(minorUnits: bigint): bigint {
  if (minorUnits === 0n) return 0n;
  return minorUnits < 0n ? -1n : 1n;
}

function rateOf({ ratesPerEuro }: AspspProfile, currency: Currency): bigint {
  const rates: Readonly<Record<string, bigint>> = ratesPerEuro;
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  if (rate === undefined) throw new Error(`there is no rate for ${currency}`);
  return rate;
}
