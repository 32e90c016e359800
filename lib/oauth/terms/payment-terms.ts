import { after } from "@/lib/domain/clock";
import { bankRefusal } from "@/lib/domain/payment/bank-refusal";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { GrantPorts, GrantTerms } from "../grant-terms";
import { formatScope } from "../scope";

/**
 * Long enough after the PSU's yes to fetch a token and to follow the payment with it for its whole
 * life; what comes of the payment meanwhile changes nothing. There are none for a payment that a rule
 * of the bank has refused: its TPP is sent back with an error.
 */
export async function paymentTerms(
  { payments, profile }: GrantPorts,
  authorisation: Authorisation,
): Promise<GrantTerms | undefined> {
  const payment = await payments.findByAuthorisation(authorisation.id);
  const accepted = payment?.psuId !== undefined && bankRefusal(payment) === undefined;
  if (payment === undefined || !accepted) return undefined;
  const endsAt = after(authorisation.expiresAt, profile.oauth.paymentTokenMinutes, "minute");
  return {
    clientId: payment.tppId,
    scope: formatScope({ kind: "PIS", resourceId: payment.id }),
    endsAt,
    grantEndsAt: endsAt,
    refreshable: false,
  };
}
