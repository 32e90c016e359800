import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  changed,
  closingOf,
  euro,
  fileOf,
  importFile,
  type MadeEntry,
  type MadeStatement,
  november,
  october,
} from "@/cli/bank/camt053/testing";
import { type AccountId, addDays, type Iban, type PsuId } from "@/lib/domain/values";
import { fileDatabase } from "@/lib/postgres/testing";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { ledger } from "./core-bank";
import { addCustomer, day } from "./testing";

const database = await fileDatabase();
const source = ledger(database.db, aspspProfile);
let ana: PsuId;

beforeEach(async () => {
  // The files name their accounts, so no test may find those of another: a trigger would not let entries go.
  await database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`truncate customer, ledger_account cascade`;
  });
  ana = await addCustomer(database.db, "Ana Popescu");
});

const now = new Date("2026-11-20T10:00:00Z");
const load = (text: string, owner = ana) => importFile(database.db, text, owner);

describe("an import", () => {
  async function onlyAccount() {
    const [account, second] = await source.accountsOf(ana);
    if (account === undefined || second !== undefined) throw new Error("not one account");
    return account;
  }

  async function listOf(accountId: AccountId) {
    const report = await source.transactions({
      ...{ customerId: ana, accountId },
      statuses: ["booked", "pending"],
      from: day("2026-01-01"),
      to: day("2026-12-31"),
      limit: 100,
    });
    return report?.entries ?? [];
  }

  async function balancesOf(id: AccountId) {
    const [known] = await source.balances({ customerId: ana, ids: [id] }, now);
    return known?.balances.map(({ amount }) => amount.minorUnits);
  }

  describe("an imported statement", () => {
    it("is read back through the account source: account, balances and every entry", async () => {
      expect(await load(october)).toMatchObject([
        { id: "4711-RON-2026-10", isNewAccount: true, isKnown: false, added: 9, unchanged: 0 },
      ]);
      const account = await onlyAccount();
      expect(account).toMatchObject({
        iban: "RO04XMPL0000000000004711",
        currency: "RON",
        bic: "XMPLROBU",
        name: "Cont curent",
        usage: "PRIV",
        status: "enabled",
        isDefault: true,
        owners: [{ name: "Ana Popescu", role: "owner" }],
      });
      expect(await balancesOf(account.id)).toEqual([719_435n, 713_436n, 719_435n]);
      const entries = await listOf(account.id);
      expect(entries).toHaveLength(10);
      const { id: _, ...rent } = entries.find(({ day }) => day === "2026-10-05") ?? { id: "" };
      expect(rent).toEqual({
        status: "booked",
        amount: { currency: "RON", minorUnits: -230_000n },
        day: "2026-10-05",
        valueDate: "2026-10-05",
        counterparty: { name: "Radu Stan", iban: "RO51OTHR0000000000000815", bic: "OTHRROBU" },
        remittance: "Chirie octombrie, apartament 12",
        endToEndId: "CHIRIE-2026-10",
        entryReference: "XM20261005000204",
        bankTransactionCode: "PMNT-ICDT-STDO",
      });
    });

    it("brings its opening balance as an entry of the day before the first booking", async () => {
      await load(october);
      const entries = await listOf((await onlyAccount()).id);
      const { id: _, ...opening } = entries.at(-1) ?? { id: "" };
      expect(opening).toEqual({
        status: "booked",
        amount: { currency: "RON", minorUnits: 125_000n },
        day: "2026-10-01",
        valueDate: "2026-10-01",
        counterparty: {},
        remittance: "Opening balance",
        bankTransactionCode: "ACMT-OPCL-ACCO",
      });
    });

    it("is entered on both sides, so that the sum of all entries stays zero in every currency", async () => {
      await load(october);
      await load(november);
      await load(euro);
      const sums = await database.sql`
      select currency, sum(amount_minor)::int as sum, count(*)::int as entries
      from ledger_entry join ledger_account account on account.id = account_id
      group by currency order by currency`;
      expect([...sums]).toEqual([
        { currency: "EUR", sum: 0, entries: 8 },
        { currency: "RON", sum: 0, entries: 24 },
      ]);
      const odd = await database.sql`
      select transfer_id from ledger_entry join ledger_account account on account.id = account_id
      group by transfer_id
      having sum(amount_minor) <> 0 or count(*) <> 2 or count(distinct currency) <> 1
        or count(distinct ledger_entry.status) <> 1 or count(distinct booked_on) > 1`;
      expect(odd).toHaveLength(0);
    });

    it("of a savings account is kept, and never shown", async () => {
      await load(changed(october, "CACC", "SVGS"));
      expect(await source.accountsOf(ana)).toEqual([]);
    });

    it("of a second currency of an IBAN opens a sub-account that is not the default", async () => {
      await load(october);
      await load(changed(euro, "RO74XMPL0000000000004712", "RO04XMPL0000000000004711"));
      const accounts = await source.accountsOf(ana);
      expect(accounts.map(({ currency, isDefault }) => [currency, isDefault])).toEqual([
        ["RON", true],
        ["EUR", false],
      ]);
    });
  });

  describe("the last change of an imported account", () => {
    it("is the morning of its last booking, and never later than the import", async () => {
      const changeAt = async () => {
        const ids = [(await onlyAccount()).id];
        const [known] = await source.balances({ customerId: ana, ids }, now);
        return known?.balances.find(({ type }) => type === "expected");
      };
      await importFile(database.db, october, ana, new Date("2026-10-31T05:00:00Z"));
      expect(await changeAt()).toMatchObject({ lastChangeAt: new Date("2026-10-31T05:00:00Z") });
      await load(november);
      expect(await changeAt()).toMatchObject({ lastChangeAt: new Date("2026-11-04T06:00:00Z") });
    });
  });

  describe("what the ledger has stays as it is", () => {
    it("importing the same file twice changes nothing and says so", async () => {
      await load(october);
      const before = await database.sql`select * from ledger_entry order by id`;
      expect(await load(october)).toMatchObject([
        { isKnown: true, isNewAccount: false, added: 0, booked: 0, unchanged: 9 },
      ]);
      expect(await database.sql`select * from ledger_entry order by id`).toEqual(before);
    });

    it("an overlapping later statement adds only what is new", async () => {
      await load(october);
      expect(await load(november)).toMatchObject([
        { isKnown: false, isNewAccount: false, added: 2, booked: 1, unchanged: 2, leftOut: 1 },
      ]);
      const { id } = await onlyAccount();
      expect(await listOf(id)).toHaveLength(12);
      expect(await balancesOf(id)).toEqual([738_936n, 738_936n, 738_936n]);
      expect(await load(october)).toMatchObject([{ isKnown: true, added: 0, booked: 0 }]);
      expect(await load(november)).toMatchObject([{ isKnown: true, added: 0, booked: 0 }]);
    });

    it("a pending entry keeps its transactionId when a later statement has it booked", async () => {
      const find = async () => {
        const entries = await listOf((await onlyAccount()).id);
        return entries.find(({ entryReference }) => entryReference === "XM20261031000410");
      };
      await load(october);
      const pending = await find();
      expect(pending).toMatchObject({ status: "pending", day: "2026-10-31" });
      await load(november);
      expect(await find()).toEqual({
        ...pending,
        status: "booked",
        day: "2026-11-02",
        valueDate: "2026-10-31",
        remittance: "Card 4417, Jucării de Lemn",
      });
    });

    it("the same statement under a new id has nothing to add", async () => {
      await load(october);
      const renamed = changed(october, "4711-RON-2026-10", "4711-RON-COPY");
      expect(await load(renamed)).toMatchObject([{ isKnown: false, added: 0, unchanged: 9 }]);
    });
  });
});

describe("an import is refused", () => {
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

  const entry = (
    number: number,
    amountMinor: bigint,
    more: Partial<MadeEntry> = {},
  ): MadeEntry => ({
    amountMinor,
    day: day(`2026-10-${String(number).padStart(2, "0")}`),
    reference: `E${number}`,
    ...more,
  });
  const made = (
    id: string,
    openingMinor: bigint,
    entries: readonly MadeEntry[],
  ): MadeStatement => ({
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
      await refused(
        text,
        `Ntry[1]/NtryDtls/TxDtls: E1 is in the ledger with another ${difference}`,
      );
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
      expect(await load(fileOf(made("B", 30n, [noon, entry(3, 1n)])))).toMatchObject([
        { added: 2 },
      ]);
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
      expect(await load(fileOf(made("A", 0n, [])))).toMatchObject([
        { isNewAccount: true, added: 0 },
      ]);
      expect(await load(fileOf(made("B", 0n, [entry(1, 10n)])))).toMatchObject([{ added: 1 }]);
    });
  });
});

describe("imports at the same time", () => {
  beforeEach(async () => {
    // Connections are opened when they are needed: the racing calls find theirs open.
    await Promise.all(Array.from({ length: 12 }, () => database.sql`select pg_sleep(0.1)`));
  });

  const inParallel = (text: string) => Promise.all(Array.from({ length: 12 }, () => load(text)));

  async function count(table: "ledger_entry" | "ledger_account" | "imported_statement") {
    const [row] = await database.sql`select count(*)::int as count from ${database.sql(table)}`;
    return row?.["count"];
  }

  it("of one file: one enters it, the others find it done", async () => {
    const done = (await inParallel(october)).flat();
    expect(done.filter(({ isKnown }) => !isKnown)).toHaveLength(1);
    expect(done.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
    expect(done.reduce((total, { added }) => total + added, 0)).toBe(9);
    expect(await count("ledger_entry")).toBe(20);
    expect(await count("ledger_account")).toBe(2);
    expect(await count("imported_statement")).toBe(1);
  });

  it("of the next file: nothing is booked or added twice", async () => {
    await load(october);
    const done = (await inParallel(november)).flat();
    expect(done.filter(({ isKnown }) => !isKnown)).toHaveLength(1);
    expect(done.reduce((total, { added, booked }) => total + added + booked, 0)).toBe(3);
    expect(await count("ledger_entry")).toBe(24);
  });

  it("of the next statement under several ids: its entries are entered once", async () => {
    await load(october);
    const copies = Array.from({ length: 8 }, (_, index) =>
      changed(november, "4711-RON-2026-10-19", `COPY-${index}`),
    );
    const done = (await Promise.all(copies.map((text) => load(text)))).flat();
    expect(done.filter(({ isKnown }) => isKnown)).toHaveLength(0);
    expect(done.reduce((total, { added, booked }) => total + added + booked, 0)).toBe(3);
    expect(await count("ledger_entry")).toBe(24);
  });

  it("of files with the same accounts the other way round never wait for each other", async () => {
    const statement = (iban: string, currency: string): MadeStatement => ({
      version: "02",
      id: "1",
      iban,
      currency,
      openingMinor: 5n,
      closingDay: day("2026-10-31"),
      entries: [{ amountMinor: 1n, day: day("2026-10-31"), reference: "R" }],
    });
    const ron = statement("RO04XMPL0000000000004711", "RON");
    const eur = statement("RO74XMPL0000000000004712", "EUR");
    const files = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? fileOf(ron, eur) : fileOf(eur, ron),
    );
    await Promise.all(files.map((text) => load(text)));
    expect(await count("ledger_entry")).toBe(8);
    expect(await count("ledger_account")).toBe(4);
  });
});

describe("any statement that adds up", () => {
  let accounts = 0;

  const first = day("2026-01-01");
  const anAmount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });

  /** Characters of XML that stay as they are: no blanks at the ends, none doubled. */
  const aText = fc
    .stringMatching(/^[A-Za-z0-9&<>"'ăâîșț€💶(){};#%-]{1,12}( [A-Za-z0-9&<>"'ășț]{1,12}){0,3}$/u)
    .filter((text) => [...text].length <= 35);
  const anEntry = fc.record(
    {
      amountMinor: anAmount.filter((amount) => amount !== 0n),
      status: fc.constantFrom("BOOK" as const, "BOOK" as const, "PDNG" as const),
      name: aText,
      remittance: aText,
      day: fc.integer({ min: 0, max: 300 }).map((days) => addDays(first, days)),
    },
    { requiredKeys: ["amountMinor", "day"] },
  );

  /** Some with references, some without: never the same one twice. */
  const someEntries: fc.Arbitrary<readonly MadeEntry[]> = fc
    .array(fc.tuple(anEntry, fc.boolean()), { maxLength: 20 })
    .map((list) =>
      list
        .map(([entry, named], index) => (named ? { ...entry, reference: `R${index}` } : entry))
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
    );

  function ownIban(): Iban {
    accounts += 1;
    const bban = `XMPL${String(accounts).padStart(16, "0")}`;
    const digits = `${bban}RO00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
    return `RO${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}` as string as Iban;
  }

  async function imported(made: MadeStatement) {
    const [result] = await importFile(database.db, fileOf(made), ana);
    const account = (await source.accountsOf(ana)).find(({ iban }) => iban === made.iban);
    if (account === undefined || result === undefined) throw new Error("not imported");
    const report = await source.transactions({
      ...{ customerId: ana, accountId: account.id },
      statuses: ["booked", "pending"],
      from: day("2025-01-01"),
      to: day("2027-12-31"),
      limit: 1_000,
    });
    return { account, entries: report?.entries ?? [], result };
  }

  const aStatement = fc.record({
    version: fc.constantFrom("02" as const, "08" as const),
    id: fc.constant("S1"),
    currency: fc.constantFrom("RON", "EUR", "CHF"),
    openingMinor: anAmount,
    closingDay: fc.constant(addDays(first, 300)),
    entries: someEntries,
  });

  it("comes out as it went in: every entry, and their sum is the closing balance", async () => {
    const property = fc.asyncProperty(aStatement, async (drawn) => {
      const made = { ...drawn, iban: ownIban() };
      const { account, entries } = await imported(made);
      const told = entries
        .filter(({ remittance }) => remittance !== "Opening balance")
        .map(({ amount, status, counterparty, remittance }) =>
          [amount.minorUnits, status, counterparty.name, remittance].join("|"),
        );
      const expected = made.entries.map(({ amountMinor, status, name, remittance }) =>
        [amountMinor, status === "PDNG" ? "pending" : "booked", name, remittance].join("|"),
      );
      expect(told.sort()).toEqual(expected.sort());
      const booked = entries.filter(({ status }) => status === "booked");
      expect(booked.reduce((total, { amount }) => total + amount.minorUnits, 0n)).toBe(
        closingOf(made),
      );
      const [known] = await source.balances({ customerId: ana, ids: [account.id] }, now);
      expect(known?.balances[0]?.amount.minorUnits).toBe(closingOf(made));
    });
    await fc.assert(property, { numRuns: inputs(60) });
  });

  it("may come in two that overlap in days, and again: the ledger is the same", async () => {
    const cuts = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 }));
    const property = fc.asyncProperty(aStatement, cuts, async (drawn, [one, other]) => {
      const booked = drawn.entries.filter(({ status }) => status !== "PDNG");
      const made = { ...drawn, entries: booked, iban: ownIban() };
      const from = addDays(first, Math.min(one, other));
      const until = addDays(first, Math.max(one, other));
      const early = { ...made, closingDay: until, entries: booked.filter((e) => e.day <= until) };
      const past = booked.filter((entry) => entry.day < from);
      const openingMinor = closingOf({ ...made, entries: past });
      const rest = booked.filter((entry) => entry.day >= from);
      const late = { ...made, id: "S2", openingMinor, entries: rest };

      await imported(early);
      const { result } = await imported(late);
      expect(result.added).toBe(booked.length - early.entries.length);
      const { entries, result: again } = await imported(early);
      expect(again).toMatchObject({ isKnown: true, added: 0 });
      expect(entries.reduce((total, { amount }) => total + amount.minorUnits, 0n)).toBe(
        closingOf(made),
      );
    });
    await fc.assert(property, { numRuns: inputs(60) });
  });
});
