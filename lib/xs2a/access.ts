import type { Access } from "@/lib/domain/account-access/granted-account";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { Xs2aPorts } from "./ports";
import { canBeThePsus } from "./psu-ip-address";
import type { AccessHeaders } from "./wire/headers";

type Opened = {
  readonly grant: AccountConsent;
  readonly headers: AccessHeaders;
  readonly now: Date;
};

/** An access to account data: attended when the TPP names an address the PSU can have called from. */
export function accessOf(
  { grant, headers, now }: Opened,
  { sandbox }: Pick<Xs2aPorts, "sandbox">,
): Access {
  const { "psu-ip-address": address, "client-address": callerAddress } = headers;
  const attended = address !== undefined && canBeThePsus(address, { sandbox, callerAddress });
  return { consent: grant, now, attended };
}
