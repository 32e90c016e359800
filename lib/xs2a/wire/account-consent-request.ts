import { z } from "zod";
import { type PeriodAsked, validUntilFault } from "@/lib/domain/consent/validity-period";
import { type IsoDate, parseIsoDate } from "@/lib/domain/iso-date";
import type { Circumstances } from "../circumstances";
import { orMissing } from "../parse";
import { access } from "./access";
import { cameOutWell } from "./came-out-well";
import { jsonObject } from "./json-object";

/** A day that exists, as text. */
export const isoDate = z
  .string(orMissing("is not a date YYYY-MM-DD"))
  .meta({ format: "date" })
  .refine((text) => parseIsoDate(text) !== undefined, "is not a date YYYY-MM-DD")
  .transform((text) => text as IsoDate);

const recurringIndicator = z
  .boolean(orMissing("is not a boolean"))
  .describe("Whether the consent is for access again and again, or once.");
const validUntil = isoDate.describe(
  "The last day of the consent, a day of the bank's. 9999-12-31 asks for the longest there is.",
);
const combinedServiceIndicator = z
  .boolean(orMissing("is not a boolean"))
  .meta({
    const: false,
    description: "Always false: account information and payment in one session are not offered.",
  })
  .refine((asked) => !asked, {
    message: "account information and payment in one session are not offered",
    params: { code: "SESSIONS_NOT_SUPPORTED" },
  });

/** A one-off consent has frequencyPerDay 1. */
const onceADayAtMost = {
  if: { properties: { recurringIndicator: { const: false } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { frequencyPerDay: { const: 1 } } },
};

/**
 * The body of a new account information consent. Rules that look at several fields look at
 * whatever came out well, so that one answer tells every fault.
 */
export function accountConsentRequest({ today, profile }: Circumstances) {
  const { frequencyPerDayMax, accountReferencesMax } = profile.accountConsent;
  const fields = z
    .strictObject(
      {
        access: access(accountReferencesMax),
        recurringIndicator,
        validUntil,
        frequencyPerDay: z
          .int(orMissing("is not a whole number"))
          .min(1, "is at least 1")
          .max(frequencyPerDayMax, `is at most ${frequencyPerDayMax}`)
          .describe("How often a day the TPP may ask without the PSU; 1 for a one-off consent."),
        combinedServiceIndicator,
      },
      jsonObject,
    )
    .meta(onceADayAtMost);
  return fields
    .refine((body) => validUntilFault(body, today, profile) === undefined, {
      path: ["validUntil"],
      when: cameOutWell("recurringIndicator", "validUntil"),
      error: ({ input }) => validUntilFault(input as PeriodAsked, today, profile),
    })
    .refine((body) => body.recurringIndicator || body.frequencyPerDay === 1, {
      path: ["frequencyPerDay"],
      when: cameOutWell("recurringIndicator", "frequencyPerDay"),
      error: "is 1 for a one-off consent",
    })
    .transform(({ access: { requested, access: asked }, ...rest }) => ({
      requestedAccess: requested,
      access: asked,
      recurringIndicator: rest.recurringIndicator,
      validUntil: rest.validUntil,
      frequencyPerDay: rest.frequencyPerDay,
    }));
}
