import type { Access } from "@/lib/domain/account-access/granted-account";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { AccessHeaders } from "./wire/headers";

type Opened = {
  readonly grant: AccountConsent;
  readonly headers: AccessHeaders;
  readonly now: Date;
};

/** An access to account data: attended when the TPP names the address the PSU called from. */
export function accessOf({ grant, headers, now }: Opened): Access {
  return { consent: grant, now, attended: headers["psu-ip-address"] !== undefined };
}
