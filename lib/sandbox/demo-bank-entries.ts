import { randomUUID } from "node:crypto";
import { nextBusinessDay } from "@/lib/core-bank/ledger/balances";
import type { NewDetails, NewEntry } from "@/lib/core-bank/ledger/entries";
import {
  addDays,
  type Currency,
  type IsoDate,
  parseAmount,
  type TransactionId,
} from "@/lib/domain/values";
import {
  type AccountIds,
  type AccountKey,
  clearingOf,
  holderOf,
  type Party,
  parties,
} from "./demo-bank-people";

/** All movements of the demo bank up to a local day; the same days and amounts each time. */
export function demoMovements(today: IsoDate): readonly Movement[] {
  const others = Object.entries(lines) as [keyof typeof lines, readonly Line[]][];
  return [
    ...anaCurrent(today),
    ...others.flatMap(([account, list]) =>
      list.flatMap((line) => movementsOf(account, line, today)),
    ),
  ];
}

function movementsOf(account: AccountKey, line: Line, today: IsoDate): readonly Movement[] {
  const [ago, every, amount, party, text, code, details] = line;
  const amountMinor = minor(amount);
  const transfer = amountMinor < 0n ? "PMNT-ICDT-DMCT" : "PMNT-RCDT-DMCT";
  const times = every === 0 ? 1 : Math.floor((ago - 1) / every) + 1;
  return Array.from({ length: times }, (_, index) => {
    const day = addDays(today, index * every - ago);
    const dates = ago === 0 ? { enteredOn: day } : settled(day, 0, today);
    const told = details && { details: details(day) };
    return {
      account,
      amountMinor,
      ...dates,
      party,
      code: code ?? transfer,
      remittance: text,
      ...told,
    };
  });
}

/** Everything on Ana's current account up to today. */
function anaCurrent(today: IsoDate): readonly Movement[] {
  const random = seededRandom(101);
  const first = addDays(today, -DAYS_OF_HISTORY);
  const days = Array.from({ length: DAYS_OF_HISTORY }, (_, index) => addDays(first, index));
  return [
    {
      account: "anaCurrent",
      amountMinor: minor("9600.00"),
      enteredOn: first,
      bookedOn: first,
      valueOn: first,
      party: parties.formerBank,
      code: "PMNT-RCDT-DMCT",
      remittance: "Balance brought from my former bank",
    },
    ...days.flatMap((day) => [
      ...regularsOn(day, today, random),
      ...purchasesOn(day, today, random),
    ]),
    ...pending(today),
  ];
}

/** Entered today and not booked yet; a card reservation has no value date until the shop claims it. */
function pending(today: IsoDate): readonly Movement[] {
  const reservation = (name: string, amount: string): Movement => ({
    account: "anaCurrent",
    amountMinor: minor(amount),
    enteredOn: today,
    party: { name },
    code: card,
    remittance: `Card ending 4417, ${name}, reserved`,
  });
  return [
    reservation("Băcănia din Colț", "-86.40"),
    reservation("Stația Dealu Mare", "-250.00"),
    {
      account: "anaCurrent",
      amountMinor: minor("120.00"),
      ...settled(today, 1, today),
      party: parties.ioana,
      code: "PMNT-RCDT-DMCT",
      remittance: "For the theatre on Saturday",
      endToEndId: `IC-${today}`,
    },
  ];
}

/** `day` is `dd`, or `mm-dd` for once a year; up to `spread` minor units more are taken or given. */
type Regular = readonly [
  day: string,
  amount: string,
  spread: number,
  party: Party,
  text: string,
  code: string,
  counter?: "anaSavings" | "anaLoan" | "joint",
];

const card = "PMNT-CCRD-POSD";
const order = "PMNT-ICDT-STDO";
const debit = "PMNT-RDDT-PMDD";
const paid = "PMNT-ICDT-DMCT";
const received = "PMNT-RCDT-DMCT";

const regulars: readonly Regular[] = [
  ["01", "-2350.00", 0, parties.landlord, "Rent", order],
  ["05", "-218.40", 9_000, parties.housing, "Maintenance M14, flat 22", debit],
  ["07", "-26.99", 0, { name: "Muzarium Streaming AB" }, "Card ending 4417, streaming", card],
  ["10", "8450.00", 0, parties.employer, "Salary", "PMNT-RCDT-SALA"],
  ["12", "-500.00", 0, holderOf("anaSavings"), "Rainy days", order, "anaSavings"],
  ["15", "-900.00", 0, holderOf("joint"), "Household", order, "joint"],
  ["17", "-55.00", 0, parties.internet, "Internet and telephone", debit],
  ["18", "-96.20", 8_500, parties.electricity, "Electricity, meter 00418277", debit],
  ["19", "-61.75", 16_000, parties.gas, "Gas, meter 5518-09", debit],
  ["20", "-840.00", 0, holderOf("anaLoan"), "Car loan, instalment", "LDAS-FTLN-PPAY", "anaLoan"],
  ["26", "-40.00", 9_000, parties.radu, "Concert tickets", paid],
  ["28", "25.00", 7_000, parties.ioana, "My half, thank you!", received],
  ["03-14", "-1140.00", 0, parties.insurer, "Home and travel insurance, one year", debit],
  ["06-22", "436.00", 0, parties.taxOffice, "Income tax, repayment", received],
];

/** What falls due on Ana's current account on this day. */
function regularsOn(day: IsoDate, today: IsoDate, random: Random): readonly Movement[] {
  return regulars
    .filter(([due]) => day.endsWith(`-${due}`))
    .map(([, amount, spread, party, text, code, counter]) => {
      const more = BigInt(random.integer(0, spread));
      const amountMinor = minor(amount);
      // Within the bank money moves on the day itself, weekends included.
      const dates = counter
        ? { enteredOn: day, bookedOn: day, valueOn: day, counter }
        : settled(day, 0, today);
      return {
        account: "anaCurrent",
        amountMinor: amountMinor < 0n ? amountMinor - more : amountMinor + more,
        ...dates,
        party,
        code,
        remittance: `${text} ${day.slice(0, 7)}`,
        ...(code.startsWith("PMNT-CCRD") ? {} : { endToEndId: `${day}-${code.slice(5)}` }),
      };
    });
}

type Shop = readonly [name: string, place: string, minorFrom: number, minorTo: number];

/** All invented. Where much is bought stands here more than once. */
const shops: readonly [Shop, ...Shop[]] = [
  ["Băcănia din Colț", "București", 1_850, 14_200],
  ["Băcănia din Colț", "București", 2_100, 9_900],
  ["Piața Verde Market", "București", 3_400, 18_750],
  ["Brutăria Spicul Copt", "București", 650, 3_200],
  ["Brutăria Spicul Copt", "București", 650, 2_400],
  ["Cafeneaua Lumea Mică", "București", 1_200, 4_600],
  ["Metropas Bilete", "București", 500, 9_000],
  ["Farmacia Floarea de Tei", "București", 1_490, 12_300],
  ["Librăria Cerneala Albastră", "Cluj-Napoca", 2_990, 15_900],
  ["Stația Dealu Mare", "Ploiești", 12_000, 29_500],
  ["Bistro Hanul cu Nuci", "Brașov", 4_500, 19_800],
  ["Cinema Orizont Vechi", "București", 2_800, 8_400],
  ["Papierhaus Elbufer", "Dresden", 2_150, 11_400],
];

/** None to three card payments a day, about one on average; a shop claims its money within two days. */
function purchasesOn(day: IsoDate, today: IsoDate, random: Random): readonly Movement[] {
  const count = random.pick([0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => {
    const [name, place, from, to] = random.pick(shops);
    return {
      account: "anaCurrent",
      amountMinor: BigInt(-random.integer(from, to)),
      ...settled(day, random.integer(1, 2), today),
      party: { name },
      code: card,
      remittance: `Card ending 4417, ${name}, ${place}, ${day}`,
    };
  });
}

/**
 * First so many days ago, then every so many days up to yesterday; `every` 0 is only once. What is
 * of today is only reserved.
 */
type Line = readonly [
  ago: number,
  every: number,
  amount: string,
  party: Party,
  text: string,
  code?: string,
  details?: Details,
];

/** Fifteen months: most of them older than the 90 days of art. 10a RTS. */
export const DAYS_OF_HISTORY = 460;

const from = DAYS_OF_HISTORY;
const interest = "ACMT-MCOP-INTR";
const rate = "Exchange EUR 200.00 at 4.9750";
const brought = "Balance brought from another bank";
const shop = (name: string): Party => ({ name });

// What few entries have; the demo bank has each of it somewhere.
type Details = (day: IsoDate) => NewDetails;
const broughtDetails: Details = () => ({
  bookedAfterMinor: "35000",
  proprietaryBankTransactionCode: "INC-OWN-01",
});
const eur = "EUR" as string as Currency;
const exchanged: Details = (quotationDate) => ({
  currencyExchange: [
    {
      sourceCurrency: eur,
      targetCurrency: "USD" as string as Currency,
      unitCurrency: eur,
      rate: "1.1600",
      quotationDate,
      contractId: `FX-${quotationDate}`,
    },
  ],
});
const mandated: Details = (day) => ({
  mandateId: "M-2024-00317",
  creditorId: "RO27ZZZ0000000417",
  remittanceLines: [`Nursery ${day.slice(0, 7)}`, "Two children, meals included"],
});
const twoReferences: Details = () => ({
  structuredRemittance: [
    { reference: "00520961", referenceType: "METER", referenceIssuer: "Grid" },
    { reference: "RF18539007547034", referenceType: "SCOR" },
  ],
});
const byCheque: Details = () => ({ checkId: "000417", additionalInformation: "Paid by cheque" });
const taxes: Details = () => ({
  purposeCode: "TAXS",
  counterpartyUltimateName: "State budget",
  structuredRemittance: [{ reference: "D100-417", referenceType: "TAX" }],
});
const threeInvoices: Details = () => ({
  ultimateName: "Popescu Grafic Studio",
  batch: {
    count: 3,
    members: ["165000", "170000", "150000"].map((amountMinor, nth) => ({
      amountMinor,
      endToEndId: `INV-${nth + 1}`,
      counterparty: { name: parties.publisher.name },
      remittance: `Book cover ${nth + 1}`,
      purposeCode: "SUPP",
    })),
  },
});

/** The accounts beside Ana's current one; her payments to them are listed there. */
const lines: Readonly<Record<Exclude<AccountKey, "anaCurrent">, readonly Line[]>> = {
  travelEur: [
    [from, 0, "350.00", parties.formerBank, brought, "PMNT-RCDT-ESCT", broughtDetails],
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
    [380, 90, "250.00", parties.americanClient, "Cover drawing", "PMNT-RCDT-XBCT", exchanged],
    [445, 30, "-12.00", shop("Cloudpocket Storage Inc"), "Card ending 4425", card],
  ],
  joint: [
    [from, 0, "1500.00", parties.formerBank, brought],
    [449, 30, "900.00", parties.elenaElsewhere, "Household, Elena"],
    [446, 30, "-650.00", parties.nursery, "Nursery, one month", debit, mandated],
    [457, 7, "-171.35", shop("Piața Verde Market"), "Card ending 7102", card],
    [433, 61, "-143.90", parties.electricity, "Electricity, meter 00520961", debit, twoReferences],
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
    [452, 30, "4850.00", parties.publisher, "Invoice, book covers", received, threeInvoices],
    [441, 47, "2975.00", parties.brewery, "Invoice, labels"],
    [455, 30, "-1800.00", parties.officeLandlord, "Studio rent"],
    [438, 30, "-450.00", parties.bookkeeper, "Bookkeeping", "PMNT-ICHQ-CCHQ", byCheque],
    [435, 91, "-3120.00", parties.taxOffice, "Tax, one quarter", paid, taxes],
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

/** Money that came to or left an account of the demo bank. */
export type Movement = {
  readonly account: AccountKey;
  /** Negative leaves the account. */
  readonly amountMinor: bigint;
  readonly enteredOn: IsoDate;
  /** Absent as long as it is pending. */
  readonly bookedOn?: IsoDate;
  readonly valueOn?: IsoDate;
  readonly party: Party;
  readonly code: string;
  readonly remittance: string;
  readonly endToEndId?: string;
  /** The other side when it is one of ours too; else the clearing account of the currency. */
  readonly counter?: AccountKey;
  readonly details?: NewDetails;
};

export function minor(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error(`${text} is no amount`);
  return amount;
}

/** Booked on the first business day from `delay` days later; pending, with a known value date, until then. */
function settled(enteredOn: IsoDate, delay: number, today: IsoDate) {
  const day = nextBusinessDay(addDays(enteredOn, delay - 1));
  return day > today ? { enteredOn, valueOn: day } : { enteredOn, bookedOn: day, valueOn: day };
}

/** Both sides of the movement: what one account loses, another gets. */
export function entriesOf(
  movement: Movement,
  reference: string,
  ids: AccountIds,
  now: Date,
): readonly [NewEntry, NewEntry] {
  const { account, counter, amountMinor, enteredOn, bookedOn, valueOn, code } = movement;
  const morning = new Date(`${bookedOn ?? enteredOn}T06:00:00Z`);
  const common = {
    transferId: randomUUID(),
    status: bookedOn === undefined ? ("pending" as const) : ("booked" as const),
    enteredOn,
    bookedOn,
    valueOn,
    changedAt: morning < now ? morning : now,
  };
  const seenBy = (party: Party) => ({
    counterpartyName: party.name,
    counterpartyIban: party.iban,
    counterpartyBic: party.bic,
    remittance: movement.remittance,
    endToEndId: movement.endToEndId,
    entryReference: bookedOn === undefined ? undefined : reference,
  });
  return [
    {
      ...common,
      id: randomUUID() as string as TransactionId,
      accountId: ids[account],
      amountMinor,
      bankTransactionCode: code,
      details: movement.details,
      ...seenBy(movement.party),
    },
    {
      ...common,
      id: randomUUID() as string as TransactionId,
      accountId: ids[counter ?? clearingOf(account)],
      amountMinor: -amountMinor,
      // Movements within the bank are listed on the payer's side: the other one receives.
      bankTransactionCode: counter === undefined ? code : "PMNT-RCDT-BOOK",
      ...(counter === undefined ? {} : seenBy(holderOf(account))),
    },
  ];
}

type Random = {
  /** Both ends inclusive. */
  readonly integer: (from: number, to: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
};

/** The same numbers for the same seed (mulberry32): plausible, repeatable and no secret. */
function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { integer, pick: (items) => items[integer(0, items.length - 1)] ?? items[0] };
}
