import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { addAccount, addCustomer, addEntries, bookedEntry, today } from "./testing";
import {
  balanceOf,
  elsewhere,
  executed,
  type Given,
  money,
  moneyMadeOrLost,
  newIban,
  nothingDue,
} from "./testing-payments";

type Account = Partial<typeof ledgerAccount.$inferInsert>;
let database: TestDatabase;
let ana: PsuId;
let mihai: PsuId;
let debtor: AccountId;

beforeAll(async () => {
  database = await testDatabase();
  ana = await addCustomer(database.db, "Ana Popescu");
  mihai = await addCustomer(database.db, "Mihai Ionescu");
});
afterAll(async () => {
  expect(await moneyMadeOrLost(database.db)).toEqual([]);
  await database.close();
});
beforeEach(async () => {
  await nothingDue(database.db);
  debtor = await addAccount(database.db, { [ana]: "owner" });
  await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
});

const open = (iban: Iban, account: Account = {}) =>
  addAccount(database.db, { [mihai]: "owner" }, { iban, ...account });

/** EUR 12.50, which are RON 63.63. */
const pay = (given: Partial<Given>) => executed(database.db, { debtor, ...given });
const entriesOf = (id: AccountId) =>
  database.db.select().from(ledgerEntry).where(eq(ledgerEntry.accountId, id));
const settled = { status: "ACSC", reason: null };

describe("a creditor of this bank", () => {
  it("is credited, and sees from whom", async () => {
    const creditorIban = newIban();
    const creditor = await open(creditorIban);
    const amount = { amountMinor: 1_250n, currency: money("RON") };
    const texts = { remittance: "Rent", endToEndId: "E2E-7" };
    const state = await pay({ creditorIban, ...amount, ...texts });
    expect(state).toMatchObject(settled);
    const [{ iban } = { iban: null }] = await database.db
      .select()
      .from(ledgerAccount)
      .where(eq(ledgerAccount.id, debtor));
    expect(await entriesOf(creditor)).toMatchObject([
      {
        amountMinor: 1_250n,
        status: "booked",
        bookedOn: today,
        valueOn: today,
        counterpartyName: "Ana Popescu",
        counterpartyIban: iban,
        counterpartyBic: "DRWBROBU",
        bankTransactionCode: "PMNT-RCDT-ESCT",
        entryReference: `C${state.id.replaceAll("-", "")}`,
        ...texts,
      },
    ]);
    const debits = (await entriesOf(debtor)).filter(({ amountMinor }) => amountMinor < 0n);
    expect(debits).toMatchObject([{ amountMinor: -1_250n, counterpartyBic: "DRWBROBU" }]);
  });

  it.each<readonly [string, (iban: Iban) => Promise<AccountId>, Partial<Given>, bigint]>([
    [
      "in the currency that the order names",
      async (iban) => {
        await open(iban, { currency: money("EUR") });
        return open(iban, { currency: money("USD"), isDefault: false });
      },
      { creditorCurrency: money("USD") },
      1_450n,
    ],
    [
      "in the currency of the amount",
      async (iban) => {
        await open(iban, { currency: money("RON") });
        return open(iban, { currency: money("EUR"), isDefault: false });
      },
      {},
      1_250n,
    ],
    [
      "else in its default currency, at the indicative rate",
      async (iban) => {
        await open(iban, { currency: money("CHF"), isDefault: false });
        return open(iban, { currency: money("RON") });
      },
      {},
      6_363n,
    ],
  ])("is credited %s", async (_what, accounts, given, credited) => {
    const creditorIban = newIban();
    const creditor = await accounts(creditorIban);
    expect(await pay({ creditorIban, ...given })).toMatchObject(settled);
    expect(await balanceOf(database.db, creditor)).toBe(credited);
    expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n);
  });

  it.each<readonly [string, Account]>([
    ["on a savings account", { kind: "savings" }],
    ["on an account that came from another bank with its IBAN", {}],
  ])("is credited %s", async (what, account) => {
    const creditorIban = newIban(what.includes("another") ? "XMPL" : "DRWB");
    const creditor = await open(creditorIban, account);
    expect(await pay({ creditorIban })).toMatchObject(settled);
    expect(await balanceOf(database.db, creditor)).toBe(6_363n);
  });

  it("who is the debtor gets with one hand what leaves the other", async () => {
    const eur = { currency: money("EUR"), isDefault: false } as const;
    const [row] = await database.db
      .select()
      .from(ledgerAccount)
      .where(eq(ledgerAccount.id, debtor));
    const creditorIban = row?.iban ?? newIban();
    const other = await addAccount(database.db, { [ana]: "owner" }, { iban: creditorIban, ...eur });
    expect(await pay({ creditorIban })).toMatchObject(settled);
    expect(await balanceOf(database.db, other)).toBe(1_250n);
    const toItself = { creditorIban, creditorCurrency: money("RON") };
    expect(await pay(toItself)).toMatchObject(settled);
    expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n);
  });

  it("of a company is paid by whoever acts for it, in the company's name", async () => {
    const company = await addCustomer(database.db, "Popescu Grafic SRL ".repeat(6));
    const roles = { [ana]: "legalRepresentative", [company]: "owner" } as const;
    debtor = await addAccount(database.db, roles);
    await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
    const creditorIban = newIban();
    const creditor = await open(creditorIban);
    await pay({ creditorIban });
    const [entry] = await entriesOf(creditor);
    expect(entry?.counterpartyName).toBe("Popescu Grafic SRL ".repeat(6).slice(0, 70));
  });

  it("of a joint account is told which owner has paid", async () => {
    const joint = { [mihai]: "owner", [ana]: "owner" } as const;
    debtor = await addAccount(database.db, joint);
    await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
    const creditorIban = newIban();
    const creditor = await open(creditorIban);
    await pay({ creditorIban, psuId: mihai });
    const [entry] = await entriesOf(creditor);
    expect(entry?.counterpartyName).toBe("Mihai Ionescu");
  });
});

it.each<readonly [string, Iban]>([
  ["abroad", elsewhere],
  ["in this country", newIban("VALE")],
  ["abroad, of the same code", "GB29DRWB60161331926819" as Iban],
])("of a creditor of another bank %s, the clearing account has the money", async (_where, iban) => {
  expect(await pay({ creditorIban: iban })).toMatchObject(settled);
  const debits = (await entriesOf(debtor)).filter(({ amountMinor }) => amountMinor < 0n);
  expect(debits).toMatchObject([{ amountMinor: -6_363n, counterpartyBic: null }]);
  const sides = await database.db
    .select({ kind: ledgerAccount.kind, amount: ledgerEntry.amountMinor })
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(eq(ledgerEntry.transferId, debits[0]?.transferId ?? "none"));
  expect(sides).toContainEqual({ kind: "internal", amount: 6_363n });
  expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n);
});
