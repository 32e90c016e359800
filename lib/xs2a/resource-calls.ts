import type { Access } from "@/lib/domain/account-access";
import type { AccountConsent, ConsentPorts } from "@/lib/domain/consents";
import { openConsent } from "@/lib/domain/consents";
import type { PaymentOfTpp } from "@/lib/domain/payments";
import type { RequestId } from "@/lib/domain/values";
import type { Call, Xs2aPorts } from "./declaration";
import { resource } from "./endpoint";
import { ofConsent, ofPayment } from "./refusals";
import { addressIgnoredReason } from "./request-context";
import {
  tokenOfConsentInHeader,
  tokenOfConsentInPath,
  tokenOfFundsConsentInPath,
  tokenOfPaymentInPath,
} from "./token";
import { type AccessHeaders, accessHeaders, consentPath } from "./wire/common";
import { paymentPath, unknownProduct } from "./wire/payments";

/** What calls about a consent by its id have in common. */
export const accountConsentCall = {
  role: "PSP_AI",
  token: tokenOfConsentInPath,
  path: consentPath,
  refuses: ofConsent,
} as const;

export const fundsConsentCall = {
  ...accountConsentCall,
  role: "PSP_IC",
  token: tokenOfFundsConsentInPath,
} as const;

type OnResource<Path> = Pick<
  Call<unknown, Path, unknown, unknown, unknown>,
  "qwac" | "path" | "now"
>;

export function consentOf<Id>({ qwac, path, now }: OnResource<{ readonly consentId: Id }>) {
  return { id: path.consentId, tppId: qwac.tpp.id, now };
}

/** The methods of a path below a payment product. */
export function paymentResource(offered: Parameters<typeof resource>[0]) {
  return resource(offered, unknownProduct);
}

export const paymentCall = {
  role: "PSP_PI",
  token: tokenOfPaymentInPath,
  path: paymentPath,
  refuses: ofPayment,
} as const;

type PaymentInPath = {
  readonly product: PaymentOfTpp["product"];
  readonly paymentId: PaymentOfTpp["id"];
};

export function paymentOf({ qwac, path, now }: OnResource<PaymentInPath>): PaymentOfTpp {
  return { id: path.paymentId, product: path.product, tppId: qwac.tpp.id, now };
}

export const accountDataCall = {
  role: "PSP_AI",
  token: tokenOfConsentInHeader,
  headers: accessHeaders,
} as const;

type OnAccountData = {
  readonly grant: AccountConsent;
  readonly headers: AccessHeaders;
  readonly now: Date;
  readonly requestId: RequestId;
};

/**
 * An access to account data, by a consent that is open now: attended when the TPP names an address the PSU can have called
 * from. Rejects with 401 CONSENT_*.
 */
export async function accessOf(
  { grant, headers, now, requestId }: OnAccountData,
  ports: Pick<Xs2aPorts, "sandbox" | "attendedReads"> & ConsentPorts,
): Promise<Access> {
  const { sandbox, attendedReads } = ports;
  const { "psu-ip-address": address, "client-address": callerAddress } = headers;
  const opened = { consent: await openConsent(ports, grant, now), now, requestId };
  if (address === undefined) return { ...opened, attended: false };
  const addressIgnored = addressIgnoredReason(address, { sandbox, callerAddress });
  if (addressIgnored !== undefined) return { ...opened, attended: false, addressIgnored };
  const { id: consentId, tppId } = grant;
  // There the PSUs of all TPPs may be on one machine.
  if (!sandbox) attendedReads.note({ tppId, consentId, address });
  return { ...opened, attended: true };
}
