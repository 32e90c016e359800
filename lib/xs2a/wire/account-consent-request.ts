import { z } from "zod";
import { type PeriodAsked, validUntilFault } from "@/lib/domain/consent/validity-period";
import { type IsoDate, parseIsoDate } from "@/lib/domain/iso-date";
import type { Circumstances } from "../endpoint";
import { orMissing } from "../parse";
import { access } from "./access";
import { cameOutWell } from "./came-out-well";

/** A day that exists, as text. */
export const isoDate = z
  .string(orMissing("is not a date YYYY-MM-DD"))
  .refine((text) => parseIsoDate(text) !== undefined, "is not a date YYYY-MM-DD")
  .transform((text) => text as IsoDate);

/**
 * The body of a new account information consent. Rules that look at several fields look at
 * whatever came out well, so that one answer tells every fault.
 */
export function accountConsentRequest({ today, profile }: Circumstances) {
  const { frequencyPerDayMax, accountReferencesMax } = profile.accountConsent;
  const fields = z.strictObject(
    {
      access: access(accountReferencesMax),
      recurringIndicator: z.boolean(orMissing("is not a boolean")),
      validUntil: isoDate,
      frequencyPerDay: z
        .int(orMissing("is not a whole number"))
        .min(1, "is at least 1")
        .max(frequencyPerDayMax, `is at most ${frequencyPerDayMax}`),
      combinedServiceIndicator: z.boolean(orMissing("is not a boolean")).refine((asked) => !asked, {
        message: "account information and payment in one session are not offered",
        params: { code: "SESSIONS_NOT_SUPPORTED" },
      }),
    },
    {
      error: (issue) =>
        issue.code === "invalid_type" ? "the body is not a JSON object" : undefined,
    },
  );
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
