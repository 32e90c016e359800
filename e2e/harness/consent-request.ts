import type { ConsentRequest } from "@/clients/typescript/src";

const BANK_TIME_ZONE = "Europe/Bucharest";

/** A local day of the bank, so many days from today. */
export function bankDay(daysFromToday = 0): string {
  const noon = new Date(`${dayOf(new Date())}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() + daysFromToday);
  return noon.toISOString().slice(0, 10);
}

/** Bank offered, recurring, all rights but the owner's name, unless said otherwise. */
export function consentRequest(changes: Partial<ConsentRequest> = {}): ConsentRequest {
  return {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: bankDay(90),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    ...changes,
  };
}

export function oneOff(changes: Partial<ConsentRequest> = {}): ConsentRequest {
  const once = { recurringIndicator: false, validUntil: bankDay(), frequencyPerDay: 1 };
  return consentRequest({ ...once, ...changes });
}

function dayOf(instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: BANK_TIME_ZONE }).format(instant);
}
