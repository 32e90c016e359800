import type { Access } from "@/lib/domain/account-access/granted-account";
import type { NamedConsent } from "@/lib/domain/tpp/arrival";
import type { Xs2aPorts } from "./ports";
import { whyNotThePsus } from "./psu-ip-address";
import type { AccessHeaders } from "./wire/headers";

type Opened = {
  readonly grant: NamedConsent;
  readonly headers: AccessHeaders;
  readonly now: Date;
};

/** An access to account data: attended when the TPP names an address the PSU can have called from. */
export function accessOf(
  { grant, headers, now }: Opened,
  { sandbox }: Pick<Xs2aPorts, "sandbox">,
): Access {
  const { "psu-ip-address": address, "client-address": callerAddress } = headers;
  const opened = { consent: grant.consent, now };
  if (address === undefined) return { ...opened, attended: false };
  const addressIgnored = whyNotThePsus(address, { sandbox, callerAddress });
  if (addressIgnored === undefined) return { ...opened, attended: true };
  return { ...opened, attended: false, addressIgnored };
}
