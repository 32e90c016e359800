import { type Currency, fractionDigitsOf, type Money } from "./values";

/**
 * What this bank offers, as data: every limit with its unit in its name. A bank states it in a file (`BANK_PROFILE`), and
 * lib/profile/schema.ts says of each value what it means, what it may be, and what holds where the file leaves it out.
 */
export type AspspProfile = {
  readonly name: string;
  readonly bic: string;
  readonly country: string;
  readonly bankCode: string;
  readonly timeZone: string;
  readonly languages: readonly ("en" | "ro")[];
  readonly defaultLanguage: "en" | "ro";
  readonly support: Readonly<Record<"phone" | "email" | "developersEmail", string>>;
  readonly features: {
    readonly fundsConfirmation: boolean;
    /** Reports may have a PSU's standing orders. */
    readonly standingOrders: boolean;
    /** A new recurring consent of a TPP and PSU leaves the earlier ones as they are. */
    readonly severalRecurringConsents: boolean;
  };
  readonly accountConsent: Numbers<
    | "recurringDaysMax"
    | "oneOffMinutes"
    | "frequencyPerDayMax"
    | "frequencyWindowHours"
    | "historyDays"
    | "unlimitedHistoryMinutes"
    | "accountReferencesMax"
  >;
  readonly sca: Numbers<
    | "approvalMinutes"
    | "windowMinutes"
    | "windowMinutesMax"
    | "openPerTppMax"
    | "openRetryAfterSeconds"
    | "failedAttemptsMax"
    | "secondFactorFailuresMax"
    | "blockMinutes"
    | "failuresKeptDays"
    | "passwordFailuresKeptHours"
    | "codeDigits"
    | "codeMinutes"
    | "codesSentMax"
    | "codesUndeliveredMax"
    | "textsPerHourMax"
    | "noticesPerHourMax"
    | "passkeyMinutes"
    | "passkeysMax"
    | "inactivityMinutes"
    | "sessionMinutes"
  > & {
    /** How a PSU confirms, in the order in which it is offered; set by PSU_SCA. */
    readonly means: readonly ScaMeans[];
    /** Whether the identity provider has to say in its answer what the customer has approved; IDP_AUTHORIZATION_DETAILS. */
    readonly approvedDetailsReturned: boolean;
  };
  readonly signInThrottle: Numbers<
    | "networkFailuresMax"
    | "networkWindowMinutes"
    | "keptHours"
    | "hashesAtOnce"
    | "waitingMax"
    | "waitingPerNetworkMax"
    | "unlockedMinutes"
  > & { readonly pauseSecondsAfterFailure: readonly number[] };
  readonly ownChannel: Numbers<
    | "inactivityMinutes"
    | "sessionMinutes"
    | "addPasskeyMinutes"
    | "permissionsPerPage"
    | "tppsPerPage"
    | "newestOfTppMax"
    | "pastShownDays"
    | "readsPerPage"
    | "csvRowsMax"
  >;
  readonly staff: Numbers<
    | "inactivityMinutes"
    | "sessionMinutes"
    | "rowsPerPage"
    | "csvRowsMax"
    | "refusalsKeptDays"
    | "refusalsPerTppAndMinuteMax"
  >;
  readonly retention: Numbers<"accessLogDays">;
  readonly oauth: Numbers<
    "codeSeconds" | "accessTokenSeconds" | "paymentTokenMinutes" | "refreshGraceSeconds"
  >;
  readonly request: Numbers<
    | "bodyBytesMax"
    | "jsonDepthMax"
    | "jsonMembersMax"
    | "dateSkewSeconds"
    | "consentAnswerHours"
    | "headerCharactersMax"
  >;
  readonly tppRequestsPerMinuteMax: number;
  readonly connections: Numbers<
    "perHostMax" | "perAddressMax" | "keepAliveSeconds" | "keepAliveUnknownSeconds"
  >;
  readonly requestsAtOnce: Numbers<
    "max" | "perTppMax" | "perTppProcessorPercent" | "waitingPerTppMax"
  >;
  readonly transactionsPerPage: number;
  readonly payments: Numbers<
    "fundsWaitHours" | "fundsRetrySeconds" | "executionEverySeconds" | "executionRowsAtOnce"
  > & {
    readonly products: Readonly<Record<PaymentProduct, ProductTerms>>;
    readonly psuDayLimit: Money;
    readonly submission: Numbers<"rowsAtOnce" | "retrySeconds" | "retrySecondsMax">;
  };
  readonly fundsConfirmation: Numbers<"checksSavedMax" | "secondsPerCheck" | "refreshDays"> & {
    readonly search: Numbers<
      "amountsMax" | "amountsHours" | "closestPercent" | "closeAmountsMax" | "boundsKeptDays"
    >;
  };
  /** Units for one euro, in ten-thousandths; indicative, and applied where currencies differ. */
  readonly ratesPerEuro: Readonly<Record<string, bigint>>;
  readonly sweep: Numbers<"everySeconds" | "rowsAtOnce">;
};

type Numbers<Name extends string> = Readonly<Record<Name, number>>;

/**
 * The second element of SCA: a code to the PSU's phone, a passkey, the bank's app asked by the identity provider
 * (OpenID CIBA), or the identity provider's own page (OpenID Connect with a higher `acr`).
 */
export type ScaMeans = "ciba" | "code" | "oidc" | "passkey";

/** Who pays the banks' charges; ISO 20022 ChargeBearerType1Code. */
export type ChargeBearer = "DEBT" | "CRED" | "SHAR" | "SLEV";

/** Of the standard; each bank offers some of them. */
export const paymentProducts = [
  "sepa-credit-transfers",
  "instant-sepa-credit-transfers",
  "target-2-payments",
  "cross-border-credit-transfers",
] as const;
export type PaymentProduct = (typeof paymentProducts)[number];

/** The only service; of periodic and bulk payments nothing is offered. */
export const PAYMENT_SERVICE = "payments";

/** What the bank offers under the name of one payment product. */
export type ProductTerms = {
  /** Without it no payment begins; those that have begun are completed by these terms. */
  readonly offered: boolean;
  readonly currencies: readonly [string, ...string[]];
  /** `17:30`, local time of the bank: what comes later settles on the next banking day. */
  readonly cutOff?: string | undefined;
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

export function isProduct(profile: AspspProfile, name: string): name is PaymentProduct {
  return offeredProducts(profile).some((product) => product === name);
}

export function offeredProducts(profile: AspspProfile): readonly PaymentProduct[] {
  return paymentProducts.filter((product) => termsOf(profile, product).offered);
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
  const rate = Object.hasOwn(ratesPerEuro, currency) ? ratesPerEuro[currency] : undefined;
  if (rate === undefined) throw new Error(`there is no rate for ${currency}`);
  return rate;
}
