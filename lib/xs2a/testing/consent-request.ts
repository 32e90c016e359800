import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Rejection } from "@/lib/domain/rejection";
import type { HeaderCircumstances } from "../circumstances";
import { parse } from "../parse";
import { accountConsentRequest } from "../wire/account-consent-request";

export const circumstances: HeaderCircumstances = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
export const IBAN = "RO49AAAA1B31007593840000";
export const OTHER = "DE89370400440532013000";
export const sound = {
  access: { balances: [], transactions: [] },
  recurringIndicator: true,
  validUntil: "2027-05-19",
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
export const ask = (changed: Record<string, unknown>) =>
  parse("body", accountConsentRequest, { ...sound, ...changed }, circumstances);
export const rights = (access: unknown) => ask({ access }).access;
export const faults = (body: unknown) => {
  try {
    parse("body", accountConsentRequest, body, circumstances);
  } catch (error) {
    const rejection = error as Rejection;
    if (rejection.status !== 400) throw error;
    return rejection.faults.map(({ code, path }) => [code, path]);
  }
  return [];
};
export const faultsOf = (changed: Record<string, unknown>) => faults({ ...sound, ...changed });
