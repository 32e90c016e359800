import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { addCustomer, day } from "../ledger/testing";
import {
  changed,
  fileOf,
  importFile,
  type MadeEntry,
  type MadeStatement,
  november,
  october,
} from "./testing";

let database: TestDatabase;
let ana: PsuId;

beforeEach(async () => {
  database = await testDatabase();
  ana = await addCustomer(database.db, "Ana Popescu");
});
afterEach(() => database.close());

const load = (text: string, owner = ana) => importFile(database.db, text, owner);

async function rows(): Promise<number> {
  const [counted] = await database.sql`
    select (select count(*) from ledger_entry) + (select count(*) from ledger_account)
      + (select count(*) from imported_statement) as rows`;
  return Number(counted?.["rows"]);
}

async function refused(text: string, reason: string, owner = ana): Promise<void> {
  const before = await rows();
  await expect(load(text, owner)).rejects.toThrow(reason);
  expect(await rows()).toBe(before);
}

const entry = (number: number, amountMinor: bigint, more: Partial<MadeEntry> = {}): MadeEntry => ({
  amountMinor,
  day: day(`2026-10-${String(number).padStart(2, "0")}`),
  reference: `E${number}`,
  ...more,
});
const made = (id: string, openingMinor: bigint, entries: readonly MadeEntry[]): MadeStatement => ({
  version: "08",
  id,
  iban: "RO04XMPL0000000000004711",
  currency: "RON",
  openingMinor,
  closingDay: entries.at(-1)?.day ?? day("2026-10-31"),
  entries,
});

describe("refused with nothing changed is", () => {
  it("a statement that leaves a gap", async () => {
    await load(fileOf(made("A", 100n, [entry(1, 10n)])));
    await refused(
      fileOf(made("B", 120n, [entry(5, 1n)])),
      "Stmt/Bal[1]: the opening balance is 1.20, the ledger has 1.10 RON booked before",
    );
  });

  it("a statement of the time before the account came here", async () => {
    await load(november);
    await refused(october, "there is a gap");
  });

  it("a statement that leaves out what the ledger has booked within its days", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n), entry(2, 20n), entry(3, 30n)])));
    await refused(fileOf(made("B", 10n, [entry(3, 30n), entry(4, 40n)])), "there is a gap");
  });

  it("an entry slipped in before later ones", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n)]), made("B", 10n, [entry(5, 50n)])));
    const more = fileOf(made("C", 0n, [entry(1, 10n), entry(2, 20n)]));
    await refused(more, "the ledger has later entries, and E2 is not among them");
  });

  it.each<[string, Partial<MadeEntry>]>([
    ["booking date", { day: day("2026-10-02") }],
    ["party", { name: "Radu Stan" }],
    ["remittance information", { remittance: "Rent" }],
  ])("an entry reference of the ledger with another %s", async (difference, more) => {
    await load(fileOf(made("A", 0n, [entry(1, 10n), entry(3, 1n)])));
    const text = fileOf(made("B", 0n, [entry(1, 10n, more), entry(3, 1n)]));
    await refused(text, `Ntry[1]/NtryDtls/TxDtls: E1 is in the ledger with another ${difference}`);
  });

  it("an entry reference of the ledger with another amount, booked or pending", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n), entry(2, 20n, { status: "PDNG" })])));
    const booked = fileOf(made("B", 10n, [entry(2, 21n)]));
    await refused(booked, "E2 is in the ledger with another amount");
    await refused(
      fileOf(made("B", 0n, [entry(1, 11n)])),
      "E1 is in the ledger with another amount",
    );
  });

  it("a known statement with other entries or other balances", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n)])));
    const same = "statement A was imported before, with other";
    await refused(fileOf(made("A", 0n, [entry(2, 10n)])), `${same} entries`);
    await refused(fileOf(made("A", 5n, [entry(1, 10n)])), `${same} balances`);
    await refused(fileOf(made("A", 0n, [entry(1, 10n), entry(2, 1n)])), `${same} balances`);
  });

  it("an account of somebody else", async () => {
    await load(october);
    const elena = await addCustomer(database.db, "Elena Popescu");
    await refused(november, "is in the ledger and belongs to somebody else", elena);
    await refused(october, "is in the ledger and belongs to somebody else", elena);
  });

  it("an account that is closed", async () => {
    await load(october);
    await database.sql`update ledger_account set status = 'deleted' where kind = 'current'`;
    await refused(november, "account RO04XMPL0000000000004711 RON is closed");
  });

  it("a file whose second statement is refused: its first one does not count either", async () => {
    const first = made("A", 0n, [entry(1, 10n)]);
    await refused(fileOf(first, made("B", 11n, [entry(2, 20n)])), "Stmt[2]/Bal[1]: the opening");
  });
});

describe("accepted is", () => {
  it("a statement that goes on within the day on which the last one ended", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n), entry(2, 20n)])));
    const noon = entry(2, 5n, { reference: "E2-noon" });
    expect(await load(fileOf(made("B", 30n, [noon, entry(3, 1n)])))).toMatchObject([{ added: 2 }]);
  });

  it("a booking that comes before the day on which its pending entry was known", async () => {
    await load(fileOf(made("A", 0n, [entry(1, 10n), entry(5, 20n, { status: "PDNG" })])));
    const early = entry(4, 20n, { reference: "E5" });
    expect(await load(fileOf(made("B", 10n, [early])))).toMatchObject([{ booked: 1 }]);
    const again = fileOf(made("A", 0n, [entry(1, 10n), entry(5, 20n, { status: "PDNG" })]));
    expect(await load(again)).toMatchObject([{ isKnown: true, added: 0, booked: 0 }]);
  });

  it("an older statement that has an entry pending which is booked since", async () => {
    const pending = entry(2, 20n, { status: "PDNG" });
    await load(fileOf(made("A", 0n, [entry(1, 10n), pending])));
    await load(fileOf(made("B", 10n, [entry(3, 20n, { reference: "E2" })])));
    const again = changed(fileOf(made("A", 0n, [entry(1, 10n), pending])), "<Id>A<", "<Id>A2<");
    expect(await load(again)).toMatchObject([{ added: 0, booked: 0, unchanged: 2 }]);
  });

  it("an account without entries that opens with nothing", async () => {
    expect(await load(fileOf(made("A", 0n, [])))).toMatchObject([{ isNewAccount: true, added: 0 }]);
    expect(await load(fileOf(made("B", 0n, [entry(1, 10n)])))).toMatchObject([{ added: 1 }]);
  });
});
