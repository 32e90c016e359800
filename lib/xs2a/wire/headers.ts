import { z } from "zod";
import type { WayBack } from "@/lib/domain/sca/authorisation";
import { inPlain } from "@/lib/ip-address";
import type { HeaderCircumstances } from "../circumstances";
import { orMissing } from "../parse";
import { redirectUri } from "./redirect-uri";
import { shownAs } from "./shown-as";

/** `::ffff:81.196.12.34` is one as well; one with a zone is not, which names an interface of one machine. */
const ipAddress = z
  .string(orMissing("is not an IP address"))
  .meta({ anyOf: ["ipv4", "ipv6"].map((format) => ({ type: "string", format })) })
  .refine((text) => inPlain(text) !== undefined, "is not an IP address")
  .describe("The address that the PSU called the TPP from.");
const psuId = z
  .string()
  .max(200)
  .describe("The PSU's user ID, to begin the login with. The signature has to cover it.");
export const consentId = z
  .string(orMissing("is not a consent's id"))
  .min(1, "is empty")
  .meta({ format: "uuid" })
  .describe("The consent that the access token was issued for.");

/** Calls about a resource by its id: nothing beyond what every call carries. */
export const plainHeaders = z.object({ "psu-ip-address": ipAddress.optional() });

/** Creating a resource the PSU has to authorise: where the PSU is, and where the browser goes back to. */
export const redirectHeaders = (circumstances: HeaderCircumstances) =>
  z.object({
    "psu-ip-address": ipAddress,
    "psu-id": psuId.optional(),
    "tpp-redirect-uri": redirectUri(circumstances).describe(
      "Where the browser goes back to: an absolute https URI without a fragment. The signature has to cover it.",
    ),
    "tpp-nok-redirect-uri": redirectUri(circumstances)
      .optional()
      .describe("Where the browser goes back to instead when there is no consent."),
  });

/** Starting a payment: besides, whether it is to be rejected when there are no funds for it. */
export const paymentHeaders = (circumstances: HeaderCircumstances) =>
  redirectHeaders(circumstances).extend({
    "tpp-rejection-nofunds-preferred": z
      .enum(["true", "false"], { error: "is true or false" })
      .default("false")
      .describe("Whether the payment is rejected at once when there are no funds for it.")
      .transform((text) => text === "true"),
  });

export type PaymentHeaders = z.infer<ReturnType<typeof paymentHeaders>>;

/**
 * Account data. A PSU-IP-Address that no PSU can have called from is no fault: the call is one that nobody
 * attends.
 * `client-address` is our listener's, which drops a caller's header of that name.
 */
const accessAndListenersHeaders = z.object({
  "consent-id": consentId,
  "psu-ip-address": ipAddress
    .optional()
    .describe(
      "The address that the PSU called from. Without one, or with one that no PSU can have, the call is unattended and counts against frequencyPerDay.",
    ),
  "client-address": z.string().optional(),
});

export const accessHeaders = shownAs(
  accessAndListenersHeaders,
  accessAndListenersHeaders.omit({ "client-address": true }),
);

export type AccessHeaders = z.infer<typeof accessHeaders>;

export type RedirectHeaders = z.infer<ReturnType<typeof redirectHeaders>>;

export function wayBackOf(headers: RedirectHeaders): WayBack {
  const redirectUri = headers["tpp-redirect-uri"];
  const nokRedirectUri = headers["tpp-nok-redirect-uri"];
  return nokRedirectUri === undefined ? { redirectUri } : { redirectUri, nokRedirectUri };
}
