import { composeIBAN } from "ibantools";
import type { NewAccount, NewCustomer, NewOwner } from "@/lib/core-bank/ledger/enter-books";
import { ibanOfBank } from "@/lib/core-bank/ledger/own-iban";
import type { AccountId, Currency, Iban, PsuId } from "@/lib/domain/values";
import { bankProfile } from "@/lib/profile/in-force";
import { demoPasswordOf } from "./demo-operators";

/** The demo bank is one with the profile of the start: its accounts keep their IBANs. */
const profile = bankProfile();
const { name: bankName, bic } = profile;

type DemoCustomer = Pick<NewCustomer, "id" | "name" | "paymentLimitMinor"> & {
  readonly userId?: string;
};

/** The same in every sandbox, so that ledger and sign-in are filled apart. */
const idOf = (number: number) => `5eedba2c-0000-4000-8000-00000000000${number}` as string as PsuId;

/** Who banks here. The company has no sign-in: Elena acts for it. */
export const demoCustomers = {
  ana: { id: idOf(1), userId: "ana", name: "Ana Popescu" },
  // EUR 1,000.00, so that a limit of one's own can be seen at work: the most he sends in one payment.
  mihai: { id: idOf(2), userId: "mihai", name: "Mihai Ionescu", paymentLimitMinor: 100_000n },
  elena: { id: idOf(3), userId: "elena", name: "Elena Popescu" },
  dan: { id: idOf(4), userId: "dan", name: "Dan Marinescu" },
  // No documented journey uses him: he may have passkeys.
  vlad: { id: idOf(5), userId: "vlad", name: "Vlad Stoica" },
  company: { id: idOf(6), name: "Popescu Grafic SRL" },
} as const satisfies Record<string, DemoCustomer>;

type CustomerKey = keyof typeof demoCustomers;

const { ana, ...others } = demoCustomers;
const rowOf = ({ id, name, paymentLimitMinor }: DemoCustomer): NewCustomer => ({
  ...{ id, name, paymentLimitMinor },
});

export const customerRows = [rowOf(ana), ...Object.values(others).map(rowOf)] as const;

export const demoPsus = Object.values(demoCustomers).flatMap((person) => {
  if (!("userId" in person)) return [];
  const { id, name, userId } = person;
  return [{ id, name, userId, password: demoPasswordOf(userId) }];
});

type Owner = readonly [CustomerKey, NewOwner["role"]];
type DemoAccount = {
  /** Sub-accounts of one IBAN share it. */
  readonly number: number;
  readonly currency: "RON" | "EUR" | "USD";
  readonly name: string;
  readonly displayName?: string;
  readonly product: string;
  readonly linkedAccounts?: string;
  readonly maskedPan?: string;
  readonly owners: readonly [Owner, ...Owner[]];
  readonly kind?: "savings" | "loan";
  readonly usage?: "ORGA";
  readonly status?: "blocked";
  readonly isDefault?: false;
  /** None unless it says so. */
  readonly overdraftMinor?: bigint;
};

const owner = (key: CustomerKey): Owner => [key, "owner"];
const [ofAna, ofElena] = [owner("ana"), owner("elena")];
const everyday = { currency: "RON", name: "Current account", product: "Everyday account" } as const;
const travel = { number: 102, product: "Multi-currency account", owners: [ofAna] } as const;

/** In the order in which the bank's own channel shows them. */
export const demoAccounts = {
  anaCurrent: { ...everyday, number: 101, owners: [ofAna] },
  travelEur: {
    ...travel,
    currency: "EUR",
    name: "Travel account EUR",
    linkedAccounts: "Travel account RON, Travel account USD",
    maskedPan: "520000xxxxxx4425",
  },
  travelRon: { ...travel, currency: "RON", name: "Travel account RON", isDefault: false },
  travelUsd: { ...travel, currency: "USD", name: "Travel account USD", isDefault: false },
  joint: {
    number: 201,
    currency: "RON",
    name: "Household account",
    displayName: "Home",
    product: "Joint account",
    owners: [ofAna, ofElena],
  },
  anaSavings: {
    number: 103,
    currency: "RON",
    name: "Rainy days",
    product: "Savings account",
    kind: "savings",
    owners: [ofAna],
  },
  anaLoan: {
    number: 104,
    currency: "RON",
    name: "Car loan",
    product: "Personal loan",
    kind: "loan",
    owners: [ofAna],
  },
  // RON 500.00: his balance alone is not enough to try a payment with.
  mihaiCurrent: { ...everyday, number: 301, owners: [owner("mihai")], overdraftMinor: 50_000n },
  company: {
    number: 401,
    currency: "RON",
    name: "Popescu Grafic SRL",
    product: "Business account",
    usage: "ORGA",
    owners: [owner("company"), ["elena", "legalRepresentative"]],
  },
  elenaBlocked: {
    number: 202,
    currency: "RON",
    name: "Old student account",
    product: "Student account",
    status: "blocked",
    owners: [ofElena],
  },
  danSavings: {
    number: 501,
    currency: "RON",
    name: "Savings",
    product: "Savings account",
    kind: "savings",
    owners: [owner("dan")],
  },
  vladCurrent: { ...everyday, number: 601, owners: [owner("vlad")] },
} as const satisfies Record<string, DemoAccount>;

export type AccountKey = keyof typeof demoAccounts;
const accounts: Readonly<Record<AccountKey, DemoAccount>> = demoAccounts;
const keys = Object.keys(demoAccounts) as AccountKey[];

/** The bank's clearing accounts, one per currency. */
const clearing = { clearingRON: "RON", clearingEUR: "EUR", clearingUSD: "USD" } as const;
export type LedgerKey = AccountKey | keyof typeof clearing;
export type AccountIds = Readonly<Record<LedgerKey, AccountId>>;
const clearingKeys = Object.keys(clearing) as (keyof typeof clearing)[];
export const ledgerKeys: readonly LedgerKey[] = [...keys, ...clearingKeys];

export function clearingOf(key: AccountKey): keyof typeof clearing {
  return `clearing${demoAccounts[key].currency}`;
}

export function accountRows(ids: AccountIds): readonly NewAccount[] {
  const common = {
    bic,
    status: "enabled",
    usage: "PRIV",
    overdraftMinor: 0n,
  } as const;
  const own = keys.map((key, position) => {
    const { number, owners: _, currency, ...account } = accounts[key];
    return {
      ...common,
      kind: "current" as const,
      isDefault: true,
      ...account,
      id: ids[key],
      iban: ownIban(number),
      currency: currency as string as Currency,
      position,
    };
  });
  const internal = clearingKeys.map((key) => ({
    ...common,
    id: ids[key],
    kind: "internal" as const,
    currency: clearing[key] as string as Currency,
    name: `Clearing ${clearing[key]}`,
    product: "Internal",
    isDefault: false,
    position: 0,
  }));
  return [...own, ...internal];
}

export function ownerRows(ids: AccountIds): readonly NewOwner[] {
  return keys.flatMap((key) =>
    accounts[key].owners.map(([owner, role]) => ({
      accountId: ids[key],
      customerId: demoCustomers[owner].id,
      role,
    })),
  );
}

export type Party = { readonly name: string; readonly iban?: Iban; readonly bic?: string };

/** A party with an account at one of two invented Romanian banks. */
function local(name: string, bank: "VALE" | "MUNT", number: number): Party {
  const iban = ibanOf("RO", `${bank}${String(number).padStart(16, "0")}`);
  return { name, iban, bic: `${bank}ROBU` };
}

function german(name: string, number: number): Party {
  const iban = ibanOf("DE", `99000100${String(number).padStart(10, "0")}`);
  return { name, iban, bic: "ELBEDEFF" };
}

/** All invented. */
export const parties = {
  employer: local("Atelier Nordic Soft SRL", "VALE", 210_045),
  landlord: local("Ileana Dumitrescu", "MUNT", 55_310),
  housing: local("Asociația de Proprietari Bloc M14", "VALE", 880_014),
  electricity: local("Lumina Codrului Energie SA", "VALE", 640_002),
  gas: local("Gaz Piatra Albă SA", "MUNT", 640_117),
  internet: local("Firnet Telecom SA", "VALE", 640_230),
  insurer: local("Umbrela Asigurări SA", "MUNT", 700_008),
  taxOffice: local("Administrația Fiscală Sector 9", "VALE", 900_001),
  radu: local("Radu Stanciu", "MUNT", 41_277),
  ioana: local("Ioana Câmpeanu", "VALE", 93_650),
  formerBank: local("Ana Popescu", "MUNT", 12_009),
  elenaElsewhere: local("Elena Popescu", "VALE", 12_118),
  nursery: local("Grădinița Ursulețul Vesel", "MUNT", 310_042),
  haulier: local("Transporturi Bistrița Mică SRL", "VALE", 230_771),
  publisher: local("Editura Pana de Gâscă SRL", "VALE", 231_400),
  brewery: local("Berăria Trei Hamei SRL", "MUNT", 231_999),
  officeLandlord: local("Spații Urbane Centrale SRL", "VALE", 300_515),
  bookkeeper: local("Contabilitate Trei Stejari SRL", "MUNT", 300_616),
  scholarship: local("Fundația Pagina de Mâine", "VALE", 900_404),
  client: german("Lindqvist & Falk GmbH", 4_410_072),
  hotel: german("Pension Drei Linden", 1_250_031),
  americanClient: { name: "Harbor & Pine Studio LLC" },
  bank: { name: bankName, bic },
} as const satisfies Record<string, Party>;

/** The holder of one of our own accounts, as the other side sees it. */
export function holderOf(key: AccountKey): Party {
  const { number, owners } = demoAccounts[key];
  const name = demoCustomers[owners[0][0]].name;
  return { name, iban: ownIban(number), bic };
}

/** Country and national part with the check digits of ISO 13616 between them. */
function ibanOf(countryCode: string, bban: string): Iban {
  return composeIBAN({ countryCode, bban }) as Iban;
}

export function ownIban(number: number): Iban {
  return ibanOfBank(profile, "0001", number);
}
