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
    /** From the creation of the resource to the end of the PSU's authorisation. */
    windowMinutes: 15,
    failedAttemptsMax: 5,
    codeDigits: 6,
    codeMinutes: 5,
    codesSentMax: 4,
    /** RTS art. 4(3)(d). */
    inactivityMinutes: 5,
    sessionMinutes: 15,
  },

  oauth: {
    codeSeconds: 60,
    accessTokenSeconds: 900,
    /** How long a TPP whose connection broke may repeat a refresh with the same token. */
    refreshGraceSeconds: 60,
  },

  request: {
    bodyBytesMax: 65_536,
    jsonDepthMax: 20,
    jsonMembersMax: 500,
    /** How far the `Date` of a signed request may be from ours. */
    dateSkewSeconds: 300,
    headerCharactersMax: 2_000,
    headersBytesMax: 16_384,
  },

  transactionsPerPage: 100,

  /** Ends and removes what time has ended and nobody reads any more. */
  sweep: {
    everySeconds: 60,
    rowsAtOnce: 200,
  },
} as const;

export type AspspProfile = typeof aspspProfile;
