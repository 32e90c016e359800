import { z } from "zod";
import type { WayBack } from "@/lib/domain/sca/authorisation";
import type { Circumstances } from "../endpoint";
import { orMissing } from "../parse";
import { redirectUri } from "./redirect-uri";

const ipAddress = z.union([z.ipv4(), z.ipv6()], orMissing("is not an IP address"));

/** Calls about a resource by its id: nothing beyond what every call carries. */
export const plainHeaders = z.object({ "psu-ip-address": ipAddress.optional() });

/** Creating a resource the PSU has to authorise: where the PSU is, and where the browser goes back to. */
export const redirectHeaders = (circumstances: Circumstances) =>
  z.object({
    "psu-ip-address": ipAddress,
    "psu-id": z.string().max(200).optional(),
    "tpp-redirect-uri": redirectUri(circumstances),
    "tpp-nok-redirect-uri": redirectUri(circumstances).optional(),
  });

/** Starting a payment: besides, whether it is to be rejected when there are no funds for it. */
export const paymentHeaders = (circumstances: Circumstances) =>
  redirectHeaders(circumstances).extend({
    "tpp-rejection-nofunds-preferred": z
      .enum(["true", "false"], { error: "is true or false" })
      .default("false")
      .transform((text) => text === "true"),
  });

export type PaymentHeaders = z.infer<ReturnType<typeof paymentHeaders>>;

/**
 * Account data. A PSU-IP-Address that cannot be one is no fault: the call is one that nobody attends.
 * `client-address` is our listener's, which drops a caller's header of that name.
 */
export const accessHeaders = z.object({
  "consent-id": z.string(orMissing("is not a consent's id")),
  "psu-ip-address": z.string().optional(),
  "client-address": z.string().optional(),
});

export type AccessHeaders = z.infer<typeof accessHeaders>;

type RedirectHeaders = z.infer<ReturnType<typeof redirectHeaders>>;

export function wayBackOf(headers: RedirectHeaders): WayBack {
  const redirectUri = headers["tpp-redirect-uri"];
  const nokRedirectUri = headers["tpp-nok-redirect-uri"];
  return nokRedirectUri === undefined ? { redirectUri } : { redirectUri, nokRedirectUri };
}

export function loginHintOf(headers: RedirectHeaders): { readonly loginHint?: string } {
  const loginHint = headers["psu-id"];
  return loginHint === undefined ? {} : { loginHint };
}
