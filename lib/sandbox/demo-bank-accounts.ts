import type { NewAccount, NewOwner } from "@/lib/core-bank/ledger/enter-books";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { type CustomerKey, demoCustomers } from "./demo-bank-customers";
import { ownIban } from "./demo-bank-iban";

type Owner = readonly [CustomerKey, NewOwner["role"]];
type DemoAccount = {
  /** Sub-accounts of one IBAN share it. */
  readonly number: number;
  readonly currency: "RON" | "EUR" | "USD";
  readonly name: string;
  readonly product: string;
  readonly owners: readonly [Owner, ...Owner[]];
  readonly kind?: "savings" | "loan";
  readonly usage?: "ORGA";
  readonly status?: "blocked";
  readonly isDefault?: false;
  /** None unless it says so. */
  readonly overdraftMinor?: bigint;
};

const ana: Owner = ["ana", "owner"];
const elena: Owner = ["elena", "owner"];
const travel = { number: 102, product: "Multi-currency account", owners: [ana] } as const;

/** In the order in which the bank's own channel shows them. */
export const demoAccounts = {
  anaCurrent: {
    number: 101,
    currency: "RON",
    name: "Current account",
    product: "Everyday account",
    owners: [ana],
  },
  travelEur: { ...travel, currency: "EUR", name: "Travel account EUR" },
  travelRon: { ...travel, currency: "RON", name: "Travel account RON", isDefault: false },
  travelUsd: { ...travel, currency: "USD", name: "Travel account USD", isDefault: false },
  joint: {
    number: 201,
    currency: "RON",
    name: "Household account",
    product: "Joint account",
    owners: [ana, elena],
  },
  anaSavings: {
    number: 103,
    currency: "RON",
    name: "Rainy days",
    product: "Savings account",
    kind: "savings",
    owners: [ana],
  },
  anaLoan: {
    number: 104,
    currency: "RON",
    name: "Car loan",
    product: "Personal loan",
    kind: "loan",
    owners: [ana],
  },
  mihaiCurrent: {
    number: 301,
    currency: "RON",
    name: "Current account",
    product: "Everyday account",
    owners: [["mihai", "owner"]],
    // RON 500.00: what he has alone is not enough to try a payment with.
    overdraftMinor: 50_000n,
  },
  company: {
    number: 401,
    currency: "RON",
    name: "Popescu Grafic SRL",
    product: "Business account",
    usage: "ORGA",
    owners: [
      ["company", "owner"],
      ["elena", "legalRepresentative"],
    ],
  },
  elenaBlocked: {
    number: 202,
    currency: "RON",
    name: "Old student account",
    product: "Student account",
    status: "blocked",
    owners: [elena],
  },
  danSavings: {
    number: 501,
    currency: "RON",
    name: "Savings",
    product: "Savings account",
    kind: "savings",
    owners: [["dan", "owner"]],
  },
  vladCurrent: {
    number: 601,
    currency: "RON",
    name: "Current account",
    product: "Everyday account",
    owners: [["vlad", "owner"]],
  },
} as const satisfies Record<string, DemoAccount>;

export type AccountKey = keyof typeof demoAccounts;
const accounts: Readonly<Record<AccountKey, DemoAccount>> = demoAccounts;
const keys = Object.keys(demoAccounts) as AccountKey[];

/** The technical accounts that stand for the rest of the world, one per currency. */
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
    bic: aspspProfile.bic,
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
