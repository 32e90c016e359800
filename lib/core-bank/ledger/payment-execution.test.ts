import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import { paymentLimitDay } from "@/drizzle/schema/ledger/payments";
import {
  type AccountId,
  addDays,
  type Iban,
  type PaymentId,
  type PsuId,
  type TppId,
} from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { ledger } from "./core-bank";
import { findMagic } from "./magic-payments";
import { claimDuePayment, paymentExecution } from "./payment-execution";
import {
  addAccount,
  addCustomer,
  addEntries,
  addPsu,
  balanceOf,
  bookedEntry,
  day,
  duePayment,
  elsewhere,
  executed,
  type Given,
  hoursOn,
  money,
  moneyMadeOrLost,
  newIban,
  nothingDue,
  now,
  pendingEntry,
  secondsOn,
  stateOf,
  statusesOf,
  today,
} from "./testing";

type Account = Partial<typeof ledgerAccount.$inferInsert>;

let database: TestDatabase;
let ana: PsuId;
let debtor: AccountId;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  expect(await moneyMadeOrLost(database.db)).toEqual([]);
  await database.close();
});
beforeEach(async () => {
  await nothingDue(database.db);
  ana = await addCustomer(database.db, "Ana Popescu");
  debtor = await addAccount(database.db, { [ana]: "owner" });
});

const advance = (at = now) => paymentExecution(database.db, aspspProfile).advance(at, 20);
const fund = (amountMinor = 100_000n, entry = bookedEntry(1)) =>
  addEntries(database.db, debtor, [{ ...entry, amountMinor }]);

/** EUR 12.50, which are RON 63.63. */
const pay = (given: Partial<Given>) => executed(database.db, { debtor, ...given });
const entriesOf = (id: AccountId) =>
  database.db.select().from(ledgerEntry).where(eq(ledgerEntry.accountId, id));

it("of a sandbox's namespace is executed by the clock of its TPP, and no other payment by that clock", async () => {
  const tppId = "PSDRO-NBR-1" as TppId;
  const maria = await addPsu(database.db, "Maria Ene", "maria");
  await database.sql`update psu set tpp_id = ${tppId} where id = ${maria}`;
  const dueAt = secondsOn(86_400);
  const payments = [maria, ana].map(async (psuId) => {
    const account = await addAccount(database.db, { [psuId]: "owner" });
    await addEntries(database.db, account, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
    return duePayment(database.db, { debtor: account, psuId, dueAt });
  });
  const [own, other] = await Promise.all(payments);
  if (own === undefined || other === undefined) throw new Error("two payments are due");
  const { advance } = paymentExecution(database.db, aspspProfile);
  expect(await advance(dueAt, 20, "PSDRO-NBR-2" as TppId)).toEqual({ steps: 0 });
  expect(await advance(dueAt, 20, tppId)).toEqual({ steps: 1 });
  expect(await statusesOf(database.db, own)).toEqual(["ACCP", "ACSP"]);
  expect(await statusesOf(database.db, other)).toEqual(["ACCP"]);
});

describe("a magic creditor of the sandbox, or a magic amount", () => {
  beforeEach(() => fund());

  it.each([
    [{ creditorName: "Sandbox RJCT" }, ["ACCP", "RJCT"], ["ACCP", "RJCT"]],
    [{ creditorName: "Sandbox PDNG" }, ["ACCP", "PDNG"], ["ACCP", "PDNG"]],
    [{ creditorName: "Sandbox partly funded" }, ["ACCP", "PDNG"], ["ACCP", "ACSP", "PDNG"]],
    [{ creditorName: "Sandbox slow" }, ["ACCP", "ACSP"], ["ACCP", "ACSP"]],
    [{ amountMinor: 77_701n }, ["ACCP", "RJCT"], ["ACCP", "RJCT"]],
    [{ amountMinor: 77_702n }, ["ACCP", "PDNG"], ["ACCP", "PDNG"]],
    [{ amountMinor: 77_703n }, ["ACCP", "PDNG"], ["ACCP", "ACSP", "PDNG"]],
    [{ amountMinor: 77_704n }, ["ACCP", "ACSP"], ["ACCP", "ACSP"]],
  ] as const)(
    "%o has its payment go this way, and outside the sandbox is one as all others",
    async (values, first, then) => {
      await fund(100_000n);
      const payment = { debtor, currency: money("RON"), ...values };
      const [id, ordinary] = [
        await duePayment(database.db, payment),
        await duePayment(database.db, { ...payment, dueAt: secondsOn(3_600) }),
      ];
      const { advance } = paymentExecution(database.db, aspspProfile, findMagic);
      await advance(now, 20);
      expect(await statusesOf(database.db, id)).toEqual(first);
      await advance(secondsOn(aspspProfile.payments.fundsRetrySeconds), 20);
      expect(await statusesOf(database.db, id)).toEqual(then);

      const outside = paymentExecution(database.db, aspspProfile);
      await outside.advance(secondsOn(3_600), 20);
      await outside.advance(secondsOn(3_700), 20);
      expect(await statusesOf(database.db, ordinary)).toEqual(["ACCP", "ACSC", "ACSP"]);
    },
  );
});

describe("an accepted payment", () => {
  beforeEach(() => fund());

  const statusOf = async (id: PaymentId) => (await stateOf(database.db, id)).status;

  /** What a TPP sees of the account, newest first, without what was there before. */
  async function entries() {
    const range = { from: day("2026-11-20"), to: day("2026-12-31"), limit: 100 };
    const statuses = ["booked", "pending"] as const;
    const source = ledger(database.db, aspspProfile);
    const account = { customerId: ana, accountId: debtor };
    return (await source.transactions({ ...account, statuses, ...range }))?.entries ?? [];
  }

  const instant = { product: "instant-sepa-credit-transfers", amountMinor: 5_000n } as const;

  it("is debited at once, and settled when its product settles", async () => {
    const id = await duePayment(database.db, { debtor });
    expect(await advance()).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSP",
      statusAt: now,
      dueAt: secondsOn(5),
    });
    expect(await advance(secondsOn(4.999))).toEqual({ steps: 0 });
    expect(await advance(secondsOn(5))).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSC",
      statusAt: secondsOn(5),
      dueAt: null,
      reason: null,
    });
    expect(await statusesOf(database.db, id)).toEqual(["ACCP", "ACSC", "ACSP"]);
    expect(await moneyMadeOrLost(database.db)).toEqual([]);
  });

  it.each([
    ["before the cut-off on the same day", "2026-11-20T16:29:00Z", "2026-11-20T16:29:05Z"],
    ["from the cut-off on after the weekend", "2026-11-20T16:30:00Z", "2026-11-22T22:00:05Z"],
    ["on a day on which TARGET is closed after it", "2026-12-25T08:00:00Z", "2026-12-27T22:00:05Z"],
  ])("settles %s", async (_when, at, settled) => {
    const { products } = aspspProfile.payments;
    const sct = { ...products["sepa-credit-transfers"], cutOff: "18:30" };
    const payments = {
      ...aspspProfile.payments,
      products: { ...products, "sepa-credit-transfers": sct },
    };
    const id = await duePayment(database.db, { debtor, dueAt: new Date(at) });
    const { advance } = paymentExecution(database.db, { ...aspspProfile, payments });
    expect(await advance(new Date(at), 20)).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSP",
      dueAt: new Date(settled),
    });
  });

  it("that is instant comes to ACCC in one turn", async () => {
    const id = await duePayment(database.db, { debtor, ...instant });
    expect(await advance()).toEqual({ steps: 3 });
    expect(await stateOf(database.db, id)).toMatchObject({ status: "ACCC", dueAt: null });
    const all = ["ACCC", "ACCP", "ACSC", "ACSP"];
    expect(await statusesOf(database.db, id)).toEqual(all);
    expect(await advance(secondsOn(60))).toEqual({ steps: 0 });
  });

  it("shows in AIS pending, then booked, under one transactionId", async () => {
    const id = await duePayment(database.db, {
      debtor,
      creditorAgent: "ELBEDEFF" as never,
      endToEndId: "E2E-1",
      remittance: "Illustrations",
    });
    await advance();
    const [pending, ...others] = await entries();
    expect(others).toEqual([]);
    expect(pending).toMatchObject({
      status: "pending",
      amount: { currency: "RON", minorUnits: -6_363n },
      day: "2026-11-20",
      valueDate: "2026-11-20",
      counterparty: { name: "Lindqvist & Falk GmbH", iban: elsewhere, bic: "ELBEDEFF" },
      bankTransactionCode: "PMNT-ICDT-ESCT",
      remittance: "Illustrations",
      endToEndId: "E2E-1",
      entryReference: id.replaceAll("-", ""),
    });
    await advance(secondsOn(5));
    expect(await entries()).toEqual([{ ...pending, status: "booked" }]);
  });

  it("is booked on the local day of its settlement", async () => {
    const lateEvening = new Date("2026-11-20T21:59:58Z");
    await duePayment(database.db, { debtor });
    await advance(lateEvening);
    await advance(new Date("2026-11-20T22:00:03Z"));
    expect(await entries()).toMatchObject([{ day: "2026-11-21", valueDate: "2026-11-21" }]);
  });

  it("is booked also when the clock was set back in between", async () => {
    const id = await duePayment(database.db, { debtor });
    await advance(new Date("2026-11-20T23:00:00Z"));
    await database.sql`update ledger_payment set due_at = ${now.toISOString()} where id = ${id}`;
    await advance();
    expect(await statusOf(id)).toBe("ACSC");
    expect(await entries()).toMatchObject([{ status: "booked", day: "2026-11-21" }]);
    // The account keeps the latest change there was, which an entry of that time has again.
    await fund(1n, { ...bookedEntry(1), changedAt: new Date("2026-11-20T23:00:00Z") });
  });

  it("has its fee as an entry of its own", async () => {
    const id = await duePayment(database.db, {
      debtor,
      product: "target-2-payments",
      feeMinor: 3_054n,
    });
    await advance();
    expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n - 3_054n);
    await advance(secondsOn(2));
    const [fee] = (await entries()).filter(({ amount }) => amount.minorUnits === -3_054n);
    expect(await entries()).toHaveLength(2);
    expect(fee).toMatchObject({
      status: "booked",
      counterparty: { name: "Drawbridge Bank", bic: "DRWBROBU" },
      bankTransactionCode: "PMNT-ICDT-CHRG",
      remittance: `Fee for payment ${id}`,
      entryReference: `F${id.replaceAll("-", "")}`,
    });
  });

  it("B15: refused by the books when it would be debited a second time", async () => {
    const id = await duePayment(database.db, { debtor });
    await advance();
    const again = { ...bookedEntry(0), entryReference: id.replaceAll("-", "") };
    await expect(addEntries(database.db, debtor, [again])).rejects.toMatchObject({
      cause: { constraint_name: "ledger_entry_reference" },
    });
  });

  it("takes no more steps at once than asked for, those due for longest first", async () => {
    const second = await duePayment(database.db, { debtor });
    const first = await duePayment(database.db, { debtor, dueAt: secondsOn(-1) });
    expect(await paymentExecution(database.db, aspspProfile).advance(now, 1)).toEqual({ steps: 1 });
    expect([await statusOf(first), await statusOf(second)]).toEqual(["ACSP", "ACCP"]);
  });
});

describe("the funds of an accepted payment", () => {
  const account = (set: Account) =>
    database.db.update(ledgerAccount).set(set).where(eq(ledgerAccount.id, debtor));
  /** RON 10.00 of the debtor's account in RON. */
  const ofTen = { amountMinor: 1_000n, currency: money("RON") } as const;
  const due = (given: Partial<Parameters<typeof duePayment>[1]> = {}) =>
    duePayment(database.db, { debtor, ...ofTen, ...given });

  /** A payment that has taken EUR 1.96 of the EUR 5.00 that the PSU has sent today. */
  async function dueWithinLimit(given: Partial<Parameters<typeof duePayment>[1]> = {}) {
    const limit = { psuId: ana, day: today };
    const other = { psuId: ana, day: addDays(today, -1), usedMinor: 700n };
    await database.db.insert(paymentLimitDay).values([{ ...limit, usedMinor: 500n }, other]);
    return due({ limitDay: today, limitMinor: 196n, ...given });
  }
  /** Of yesterday's limit and of today's. */
  async function used() {
    const rows = await database.db
      .select({ minor: paymentLimitDay.usedMinor })
      .from(paymentLimitDay)
      .where(eq(paymentLimitDay.psuId, ana))
      .orderBy(paymentLimitDay.day);
    return rows.map(({ minor }) => minor);
  }

  describe("funds are there", () => {
    it.each<readonly [string, bigint, boolean]>([
      ["amount and fee to the last ban", 1_300n, true],
      ["one ban too few for the fee", 1_299n, false],
    ])("with %s", async (_what, balance, enough) => {
      await fund(balance);
      const id = await due({ feeMinor: 300n });
      await advance();
      expect((await stateOf(database.db, id)).status).toBe(enough ? "ACSP" : "PDNG");
      expect(await balanceOf(database.db, debtor)).toBe(enough ? 0n : balance);
    });

    it("as far as the overdraft goes, and no further", async () => {
      await account({ overdraftMinor: 1_500n });
      const first = await due({ dueAt: secondsOn(-1) });
      const second = await due({ rejectWithoutFunds: true });
      await advance();
      expect((await stateOf(database.db, first)).status).toBe("ACSP");
      expect(await stateOf(database.db, second)).toMatchObject({
        status: "RJCT",
        reason: "no-funds",
      });
      expect(await balanceOf(database.db, debtor)).toBe(-1_000n);
    });

    it("not with what is reserved, nor with what is still on its way here", async () => {
      await fund(1_500n);
      await fund(-600n, pendingEntry(0));
      await fund(5_000n, pendingEntry(0));
      const id = await due({ rejectWithoutFunds: true });
      await advance();
      expect((await stateOf(database.db, id)).status).toBe("RJCT");
    });

    it.each(["blocked", "deleted"] as const)(
      "not of an account that is %s by now",
      async (status) => {
        await fund(9_000n);
        await account({ status });
        const id = await due({ rejectWithoutFunds: true });
        await advance();
        expect(await stateOf(database.db, id)).toMatchObject({
          status: "RJCT",
          reason: "no-funds",
        });
        expect(await balanceOf(database.db, debtor)).toBe(9_000n);
      },
    );
  });

  describe("a payment without funds", () => {
    it("waits, and is executed when they have come", async () => {
      const id = await dueWithinLimit();
      expect(await advance()).toEqual({ steps: 1 });
      const waiting = { status: "PDNG", statusAt: now, dueAt: secondsOn(30), reason: null };
      expect(await stateOf(database.db, id)).toMatchObject(waiting);
      expect(await advance(secondsOn(29))).toEqual({ steps: 0 });
      await advance(secondsOn(30));
      expect(await stateOf(database.db, id)).toMatchObject({ ...waiting, dueAt: secondsOn(60) });
      await fund(1_000n);
      await advance(secondsOn(60));
      expect(await stateOf(database.db, id)).toMatchObject({
        status: "ACSP",
        statusAt: secondsOn(60),
      });
      expect(await used()).toEqual([700n, 500n]);
      expect(await statusesOf(database.db, id)).toEqual(["ACCP", "ACSP", "PDNG"]);
    });

    it("is rejected at the cut-off, and gives its part of the limit back", async () => {
      const id = await dueWithinLimit();
      await advance();
      await advance(secondsOn(24 * 3_600 - 1));
      expect(await stateOf(database.db, id)).toMatchObject({ status: "PDNG", dueAt: hoursOn(24) });
      await advance(hoursOn(24));
      expect(await stateOf(database.db, id)).toMatchObject({
        status: "RJCT",
        statusAt: hoursOn(24),
        reason: "no-funds",
        dueAt: null,
        limitDay: null,
        limitMinor: null,
      });
      expect(await used()).toEqual([700n, 304n]);
      await fund(9_000n);
      expect(await advance(hoursOn(25))).toEqual({ steps: 0 });
    });

    it("is rejected at once where the TPP prefers that (TPP-Rejection-NoFunds-Preferred)", async () => {
      const id = await dueWithinLimit({ rejectWithoutFunds: true });
      expect(await advance()).toEqual({ steps: 1 });
      expect(await stateOf(database.db, id)).toMatchObject({ status: "RJCT", reason: "no-funds" });
      expect(await statusesOf(database.db, id)).toEqual(["ACCP", "RJCT"]);
      expect(await used()).toEqual([700n, 304n]);
      expect(await balanceOf(database.db, debtor)).toBe(0n);
    });
  });
});

describe("the creditor's account", () => {
  let mihai: PsuId;

  beforeAll(async () => {
    mihai = await addCustomer(database.db, "Mihai Ionescu");
  });
  beforeEach(() => fund());

  const open = (iban: Iban, account: Account = {}) =>
    addAccount(database.db, { [mihai]: "owner" }, { iban, ...account });

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
      const other = await addAccount(
        database.db,
        { [ana]: "owner" },
        { iban: creditorIban, ...eur },
      );
      expect(await pay({ creditorIban })).toMatchObject(settled);
      expect(await balanceOf(database.db, other)).toBe(1_250n);
      const toItself = { creditorIban, creditorCurrency: money("RON") };
      expect(await pay(toItself)).toMatchObject(settled);
      expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n);
    });

    it("of a company is paid by the PSU who acts for it, in the company's name", async () => {
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

    it("of a joint account names the owner who has paid", async () => {
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
  ])(
    "of a creditor of another bank %s, the clearing account has the money",
    async (_where, iban) => {
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
    },
  );
});

describe("what cannot be credited goes back to the debtor", () => {
  beforeEach(() => fund());

  const returned = { status: "RJCT", reason: "creditor-account-closed", dueAt: null };

  it.each<readonly [string, string, Account | undefined]>([
    ["a closed account", "DRWB", { status: "deleted" }],
    ["a closed account that had come with another bank's IBAN", "XMPL", { status: "deleted" }],
    ["a blocked account", "DRWB", { status: "blocked" }],
    ["a loan", "DRWB", { kind: "loan" }],
    ["an account in a currency without a rate", "DRWB", { currency: money("JPY") }],
    ["an IBAN of this bank that nobody has", "DRWB", undefined],
  ])("%s", async (_what, bank, account) => {
    const creditorIban = newIban(bank);
    const creditor =
      account &&
      (await addAccount(database.db, { [ana]: "owner" }, { iban: creditorIban, ...account }));
    expect(await pay({ creditorIban })).toMatchObject(returned);
    if (creditor) expect(await entriesOf(creditor)).toEqual([]);
    expect(await balanceOf(database.db, debtor)).toBe(100_000n);
  });

  it("with its fee, as entries of their own beside the booked debit; the limit is given back", async () => {
    await database.db.insert(paymentLimitDay).values({ psuId: ana, day: today, usedMinor: 2_000n });
    const limit = { limitDay: today, limitMinor: 1_250n };
    const creditorIban = newIban();
    const state = await pay({ creditorIban, feeMinor: 3_054n, ...limit });
    expect(state).toMatchObject({ ...returned, limitDay: null, limitMinor: null });
    const hex = state.id.replaceAll("-", "");
    const rows = (await entriesOf(debtor)).filter(({ entryReference }) => entryReference !== null);
    expect(rows.every(({ status }) => status === "booked")).toBe(true);
    const told = rows.map((row) => [row.entryReference, row.amountMinor, row.bankTransactionCode]);
    expect(told.sort()).toEqual(
      [
        [hex, -6_363n, "PMNT-ICDT-ESCT"],
        [`F${hex}`, -3_054n, "PMNT-ICDT-CHRG"],
        [`R${hex}`, 6_363n, "PMNT-ICDT-RRTN"],
        [`RF${hex}`, 3_054n, "PMNT-ICDT-RRTN"],
      ].sort(),
    );
    const [day] = await database.db
      .select()
      .from(paymentLimitDay)
      .where(eq(paymentLimitDay.psuId, ana));
    expect(day?.usedMinor).toBe(750n);
  });
});

describe("a step that fails", () => {
  let database: TestDatabase;
  let debtor: AccountId;

  beforeEach(async () => {
    database = await testDatabase();
    const psu = await addCustomer(database.db, "Ana Popescu");
    debtor = await addAccount(database.db, { [psu]: "owner" });
    await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
  });
  afterEach(() => database.close());

  const ofTen = () => ({ debtor, amountMinor: 1_000n, currency: money("RON") });
  const advance = (at = now, rowsAtOnce = 20) =>
    paymentExecution(database.db, aspspProfile).advance(at, rowsAtOnce);

  /** The one that has been due for longest, and that the books refuse. */
  async function failing() {
    const id = await duePayment(database.db, {
      ...ofTen(),
      endToEndId: "POISON",
      dueAt: secondsOn(-60),
    });
    await database.sql.unsafe(`create function poison() returns trigger language plpgsql as
    $$ begin if new.end_to_end_id = 'POISON' then raise 'cannot'; end if; return new; end $$;
    create trigger poison before insert on ledger_entry for each row execute function poison()`);
    return id;
  }

  describe("a payment whose step fails", () => {
    it("is put behind the others, and tried again later", async () => {
      const failed = await failing();
      const others = [];
      for (let nth = 0; nth < 3; nth += 1) others.push(await duePayment(database.db, ofTen()));
      expect(await advance(now, 2)).toEqual({ steps: 2 });
      expect(await advance()).toEqual({ steps: 2 });
      for (const id of others) expect((await stateOf(database.db, id)).status).toBe("ACSP");
      expect(await stateOf(database.db, failed)).toMatchObject({
        status: "ACCP",
        dueAt: secondsOn(30),
      });
    });

    it("has done nothing by then, and is not lost", async () => {
      const failed = await failing();
      await advance();
      expect(await balanceOf(database.db, debtor)).toBe(100_000n);
      await database.sql`drop trigger poison on ledger_entry`;
      await advance(secondsOn(30));
      await advance(secondsOn(60));
      const all = ["ACCP", "ACSC", "ACSP"];
      expect(await statusesOf(database.db, failed)).toEqual(all);
      expect(await balanceOf(database.db, debtor)).toBe(99_000n);
    });

    it("fails also when its debit is not in the books as it was entered", async () => {
      const id = await duePayment(database.db, ofTen());
      await advance();
      await database.sql`update ledger_entry set status = 'booked', booked_on = entered_on`;
      expect(await advance(secondsOn(5))).toEqual({ steps: 1 });
      expect(await stateOf(database.db, id)).toMatchObject({
        status: "ACSP",
        dueAt: secondsOn(35),
      });
    });

    it("fails when there is no step for its status", async () => {
      const id = await duePayment(database.db, { ...ofTen(), status: "ACTC" });
      expect(await advance()).toEqual({ steps: 1 });
      expect(await stateOf(database.db, id)).toMatchObject({
        status: "ACTC",
        dueAt: secondsOn(30),
      });
    });
  });

  it("a turn that cannot claim any payment fails, and puts none off", async () => {
    const id = await duePayment(database.db, ofTen());
    await database.sql`alter table ledger_payment rename to away`;
    await expect(advance()).rejects.toThrow();
    await database.sql`alter table away rename to ledger_payment`;
    expect((await stateOf(database.db, id)).dueAt).toEqual(now);
  });
});

describe("the index of due payments", () => {
  it("what is due is read off an index, however many payments are over", async () => {
    const database = await testDatabase();
    onTestFinished(database.close);
    const psu = await addCustomer(database.db, "Ana Popescu");
    const debtor = await addAccount(database.db, { [psu]: "owner" });
    const id = await duePayment(database.db, { debtor });
    await database.sql`insert into ledger_payment
    select (json_populate_record(p, json_build_object('id', gen_random_uuid(), 'due_at', null))).*
    from ledger_payment p, generate_series(1, 5000)`;
    await database.sql`analyze ledger_payment`;

    const asked: { text: string; params: unknown[] }[] = [];
    const logQuery = (text: string, params: unknown[]) => asked.push({ text, params });
    const logged = drizzle(database.sql, { logger: { logQuery } });
    expect(await claimDuePayment(logged, now)).toMatchObject({ id });
    const [{ text, params } = { text: "", params: [] }] = asked;
    const rows = await database.sql.unsafe(`explain ${text}`, params as string[]);
    const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    expect(plan).toMatch(/Index Scan using ledger_payment_due /);
    expect(plan).not.toMatch(/Seq Scan on ledger_payment/);
  });
});
