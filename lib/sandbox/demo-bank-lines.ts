import type { AccountKey } from "./demo-bank-accounts";
import { DAYS_OF_HISTORY } from "./demo-bank-movement";
import { holderOf, type Party, parties } from "./demo-bank-parties";

/**
 * First so many days ago, then every so many days up to yesterday; `every` 0 is only once. What is
 * of today is only reserved.
 */
export type Line = readonly [
  ago: number,
  every: number,
  amount: string,
  party: Party,
  text: string,
  code?: string,
];

const from = DAYS_OF_HISTORY;
const card = "PMNT-CCRD-POSD";
const debit = "PMNT-RDDT-PMDD";
const interest = "ACMT-MCOP-INTR";
const rate = "Exchange EUR 200.00 at 4.9750";
const brought = "Balance brought from another bank";
const shop = (name: string): Party => ({ name });

/** The accounts beside Ana's current one; what she pays to them is told there. */
export const lines: Readonly<Record<Exclude<AccountKey, "anaCurrent">, readonly Line[]>> = {
  travelEur: [
    [from, 0, "350.00", parties.formerBank, brought, "PMNT-RCDT-ESCT"],
    [451, 30, "640.00", parties.client, "Illustrations, monthly fee", "PMNT-RCDT-ESCT"],
    [440, 45, "-184.50", parties.hotel, "Two nights in Dresden", "PMNT-ICDT-ESCT"],
    [436, 21, "-38.90", shop("Gasthaus Am Alten Hafen"), "Card ending 4425", card],
    [402, 90, "-200.00", holderOf("travelRon"), rate, "PMNT-ICDT-BOOK"],
    [12, 0, "-64.80", shop("Kahnfahrt Spreewinkel"), "Card ending 4425", card],
    [0, 0, "-112.00", shop("Nachtzug Karpaten Tickets"), "Card ending 4425, reserved", card],
  ],
  travelRon: [
    [from, 0, "150.00", parties.formerBank, brought],
    [402, 90, "995.00", holderOf("travelEur"), rate, "PMNT-RCDT-BOOK"],
    [390, 60, "-340.00", shop("Cabana Izvorul Rece"), "Card ending 4425", card],
  ],
  travelUsd: [
    [from, 0, "500.00", parties.formerBank, brought, "PMNT-RCDT-XBCT"],
    [380, 90, "250.00", parties.americanClient, "Cover drawing", "PMNT-RCDT-XBCT"],
    [445, 30, "-12.00", shop("Cloudpocket Storage Inc"), "Card ending 4425", card],
  ],
  joint: [
    [from, 0, "1500.00", parties.formerBank, brought],
    [449, 30, "900.00", parties.elenaElsewhere, "Household, Elena"],
    [446, 30, "-650.00", parties.nursery, "Nursery, one month", debit],
    [457, 7, "-171.35", shop("Piața Verde Market"), "Card ending 7102", card],
    [433, 61, "-143.90", parties.electricity, "Electricity, meter 00520961", debit],
    [0, 0, "-59.99", shop("Jucării de Lemn Atelier"), "Card ending 7102, reserved", card],
  ],
  anaSavings: [
    [from, 0, "2500.00", parties.formerBank, brought],
    [370, 91, "41.70", parties.bank, "Interest", interest],
  ],
  anaLoan: [
    [from, 0, "-38500.00", parties.bank, "Car loan, paid out", "LDAS-FTLN-DDWN"],
    [429, 30, "-262.40", parties.bank, "Interest", "ACMT-MDOP-INTR"],
  ],
  /** Adds up to 37.40, all of it booked. */
  mihaiCurrent: [
    [58, 0, "1200.00", parties.haulier, "Wages", "PMNT-RCDT-SALA"],
    [56, 0, "-650.00", parties.ioana, "Room"],
    [51, 0, "-184.25", shop("Piața Verde Market"), "Card ending 0093", card],
    [44, 0, "-96.30", shop("Stația Dealu Mare"), "Card ending 0093", card],
    [37, 0, "-45.00", parties.internet, "Telephone", debit],
    [23, 0, "-120.50", shop("Bistro Hanul cu Nuci"), "Card ending 0093", card],
    [9, 0, "-66.55", shop("Băcănia din Colț"), "Card ending 0093", card],
  ],
  company: [
    [from, 0, "8000.00", parties.publisher, "Advance on a series of covers"],
    [452, 30, "4850.00", parties.publisher, "Invoice, book covers"],
    [441, 47, "2975.00", parties.brewery, "Invoice, labels"],
    [455, 30, "-1800.00", parties.officeLandlord, "Studio rent"],
    [438, 30, "-450.00", parties.bookkeeper, "Bookkeeping"],
    [435, 91, "-3120.00", parties.taxOffice, "Tax, one quarter"],
    [0, 0, "-689.00", shop("Hârtie și Cerneluri Expres"), "Card ending 3350, reserved", card],
  ],
  elenaBlocked: [
    [430, 0, "300.00", parties.scholarship, "Scholarship"],
    [402, 0, "-87.95", shop("Librăria Cerneala Albastră"), "Card ending 1180", card],
  ],
  vladCurrent: [
    [60, 30, "3400.00", parties.haulier, "Wages", "PMNT-RCDT-SALA"],
    [41, 0, "-512.80", shop("Piața Verde Market"), "Card ending 7716", card],
  ],
  danSavings: [
    [from, 0, "5000.00", parties.haulier, "Severance pay"],
    [365, 91, "37.50", parties.bank, "Interest", interest],
  ],
};
