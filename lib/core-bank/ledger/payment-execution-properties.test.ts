import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { convert, type PaymentProduct } from "@/lib/domain/bank-profile";
import type { AccountId, Iban, PaymentId, PsuId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { paymentExecution } from "./payment-execution";
import {
  addAccount,
  addCustomer,
  addEntries,
  balanceOf,
  bookedEntry,
  duePayment,
  elsewhere,
  money,
  moneyMadeOrLost,
  now,
  secondsOn,
  stateOf,
} from "./testing";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const currencies = ["RON", "EUR", "USD", "HUF"] as const;
const products = Object.keys(aspspProfile.payments.products) as PaymentProduct[];
const nobody = "RO11DRWB9999999999999999" as Iban;

const anAccount = fc.record({
  currency: fc.constantFrom(...currencies),
  balance: fc.bigInt({ min: 0n, max: 50_000n }),
  overdraft: fc.constantFrom(0n, 0n, 10_000n),
  status: fc.constantFrom("enabled", "enabled", "enabled", "blocked", "deleted"),
  kind: fc.constantFrom("current", "current", "savings", "loan"),
} as const);
const aPayment = fc.record({
  debtor: fc.nat({ max: 4 }),
  /** An account of ours, an IBAN of ours that nobody has, or another bank's. */
  creditor: fc.nat({ max: 6 }),
  product: fc.constantFrom(...products),
  amount: fc.record({
    minorUnits: fc.bigInt({ min: 1n, max: 30_000n }),
    currency: fc.constantFrom(...currencies),
  }),
  fee: fc.constantFrom(0n, 0n, 300n),
  rejectWithoutFunds: fc.boolean(),
});
type Account = { readonly id: AccountId; readonly iban: Iban; readonly overdraft: bigint };

async function open(drawn: typeof anAccount extends fc.Arbitrary<infer T> ? T : never) {
  const { balance: had, overdraft, currency, kind, status } = drawn;
  const account = { currency: money(currency), kind, status, overdraftMinor: overdraft };
  const id = await addAccount(database.db, { [psu]: "owner" }, account);
  if (had !== 0n) await addEntries(database.db, id, [{ ...bookedEntry(1), amountMinor: had }]);
  const [row] = await database.db.select().from(ledgerAccount).where(eq(ledgerAccount.id, id));
  return { id, iban: row?.iban ?? nobody, overdraft, had, currency: account.currency };
}

/** Two servers at once, again and again, until everything is over: a day and a half is enough. */
async function executeAll(): Promise<void> {
  for (const at of [
    now,
    ...[5, 8, 30, 60].map(secondsOn),
    ...[86_400, 86_500, 86_600].map(secondsOn),
  ]) {
    const turn = () => paymentExecution(database.db, aspspProfile).advance(at, 1_000);
    await Promise.all([turn(), turn()]);
  }
}

/** What an account has gained or lost by the payments that were executed. */
async function movedBy(
  drawn: readonly (readonly [
    PaymentId,
    { readonly debtor: Account; readonly creditor?: Account },
  ])[],
) {
  const moved = new Map<AccountId, bigint>();
  const add = (id: AccountId, minor: bigint) => moved.set(id, (moved.get(id) ?? 0n) + minor);
  for (const [id, { debtor, creditor }] of drawn) {
    const state = await stateOf(database.db, id);
    if (state.status === "RJCT") continue;
    add(debtor.id, -((state.debitMinor ?? 0n) + (state.feeMinor ?? 0n)));
    if (creditor) add(creditor.id, await creditOf(id, creditor));
  }
  return moved;
}

async function creditOf(id: PaymentId, { id: accountId }: Account): Promise<bigint> {
  const [row] = await database.sql<{ minor: string; from: string; to: string }[]>`
    select amount_minor as minor, payment.currency as "from", account.currency as "to"
    from ledger_payment payment, ledger_account account where payment.id = ${id} and account.id = ${accountId}`;
  if (row === undefined) throw new Error("no such payment");
  const sent = { currency: money(row.from), minorUnits: BigInt(row.minor) };
  return convert(sent, money(row.to), aspspProfile).minorUnits;
}

it("no money is made or lost, nobody loses more than debit and fee, and no overdraft is passed", async () => {
  const property = fc.asyncProperty(
    fc.array(anAccount, { minLength: 5, maxLength: 5 }),
    fc.array(aPayment, { minLength: 1, maxLength: 15 }),
    async (accounts, payments) => {
      const opened = await Promise.all(accounts.map(open));
      const drawn = await Promise.all(
        payments.map(async ({ debtor: from, creditor: to, amount, fee, ...order }) => {
          const [debtor, creditor] = [opened[from], opened[to]];
          if (debtor === undefined) throw new Error("no such account");
          const id = await duePayment(database.db, {
            ...order,
            debtor: debtor.id,
            feeMinor: fee,
            amountMinor: amount.minorUnits,
            currency: money(amount.currency),
            creditorIban: creditor?.iban ?? (to === 5 ? nobody : elsewhere),
          });
          return [id, { debtor, ...(creditor && { creditor }) }] as const;
        }),
      );
      await executeAll();

      expect(await moneyMadeOrLost(database.db)).toEqual([]);
      const moved = await movedBy(drawn);
      for (const { id, had, overdraft } of opened) {
        const balance = await balanceOf(database.db, id);
        expect(balance).toBe(had + (moved.get(id) ?? 0n));
        expect(balance).toBeGreaterThanOrEqual(-overdraft);
      }
      for (const [id] of drawn) {
        const { status, dueAt } = await stateOf(database.db, id);
        expect([status, dueAt]).toEqual([expect.stringMatching(/^(ACSC|ACCC|RJCT)$/), null]);
      }
    },
  );
  await fc.assert(property, { numRuns: inputs(30) });
});
