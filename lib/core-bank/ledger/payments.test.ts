import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { PaymentSubmission } from "@/lib/domain/core-bank";
import type { PaymentOrder } from "@/lib/domain/payment-order";
import { debitFrom } from "@/lib/domain/payments";
import { addDays, newPaymentId, type PsuId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase, waitingForLocks } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { paymentExecution } from "./payment-execution";
import { corePayments } from "./payments";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  elsewhere,
  hoursOn,
  money,
  newIban,
  now,
  secondsOn,
  today,
} from "./testing";

let database: TestDatabase;
let ana: PsuId;
let submission: PaymentSubmission;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const eur = (minorUnits: bigint) => ({ currency: money("EUR"), minorUnits });

beforeEach(async () => {
  ana = await addCustomer(database.db, "Ana Popescu");
  submission = await submissionOf();
});

type Account = Parameters<typeof addAccount>[2];

/** A TARGET payment of EUR 12.50 with a fee of EUR 6.00 from a new account with EUR 1,000.00. */
async function submissionOf(order: Partial<PaymentOrder> = {}, account: Account = {}, psuId = ana) {
  const debtor = { iban: newIban() };
  const accountId = await addAccount(
    database.db,
    { [psuId]: "owner" },
    { ...debtor, currency: money("EUR"), ...account },
  );
  await addEntries(database.db, accountId, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
  return submitting(accountId, { debtor, ...order }, psuId);
}

function submitting(
  accountId: PaymentSubmission["debit"]["accountId"],
  given: Partial<PaymentOrder> & Pick<PaymentOrder, "debtor">,
  customerId = ana,
): PaymentSubmission {
  const order: PaymentOrder = {
    product: "target-2-payments",
    amount: eur(1_250n),
    creditor: { name: "Shop", iban: elsewhere },
    chargeBearer: "SHAR",
    rejectWithoutFunds: false,
    ...given,
  };
  const debit = { accountId, amount: order.amount, fee: eur(600n) };
  return { paymentId: newPaymentId(), customerId, order, debit, authorisedAt: now, now };
}

const limitedTo = (minorUnits: bigint): AspspProfile => ({
  ...aspspProfile,
  payments: { ...aspspProfile.payments, psuDayLimit: eur(minorUnits) },
});
const submit = (given: Partial<PaymentSubmission> = {}, profile: AspspProfile = aspspProfile) =>
  corePayments(database.db, profile).submitPayment({ ...submission, ...given });
const account = (change: string) => database.sql.unsafe(change, [submission.debit.accountId]);
const used = async (psuId = ana) => {
  const rows = await database.sql`select day::text, used_minor::int from payment_limit_day
    where psu_id = ${psuId} order by day`;
  return rows.map(({ day, used_minor }) => [day, used_minor]);
};
const accepted = {
  status: "ACCP",
  history: [{ status: "ACCP", at: now }],
  fundsAvailable: true,
  nextAt: now,
};
const refusedFor = (reason: string) => ({
  status: "RJCT",
  history: [{ status: "RJCT", at: now, reason }],
});

describe("a submitted payment", () => {
  it("is accepted, due at once, and takes its amount of the PSU's day", async () => {
    expect(await submit()).toEqual(accepted);
    expect(await used()).toEqual([[today, 1_250]]);
  });

  it("takes of the day on which it was authorised, however late it is submitted", async () => {
    expect(await submit({ now: hoursOn(24) })).toMatchObject({ nextAt: hoursOn(24) });
    expect(await used()).toEqual([[today, 1_250]]);
  });

  it("B15: submitted again changes nothing and is answered with its progress", async () => {
    await submit();
    await paymentExecution(database.db, aspspProfile).advance(now, 20);
    const again = await submit({ now: secondsOn(1) });
    expect(again).toEqual({
      status: "ACSP",
      history: [...accepted.history, { status: "ACSP", at: now }],
      fundsAvailable: true,
      nextAt: secondsOn(2),
    });
    expect(await corePayments(database.db, aspspProfile).payment(submission.paymentId)).toEqual(
      again,
    );
    expect(await used()).toEqual([[today, 1_250]]);
  });

  it("B15: of 50 submissions at once one is executed, and all get the same answer", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit()));
    expect(answers).toEqual(Array.from({ length: 50 }, () => accepted));
    await paymentExecution(database.db, aspspProfile).advance(now, 20);
    expect(await used()).toEqual([[today, 1_250]]);
    const entries = await database.sql`select amount_minor::int from ledger_entry
      where account_id = ${submission.debit.accountId} and amount_minor < 0 order by 1`;
    expect(entries).toEqual([{ amount_minor: -1_250 }, { amount_minor: -600 }]);
  });

  it.each<readonly [string, () => Partial<PaymentSubmission>]>([
    ["amount", () => ({ order: { ...submission.order, amount: eur(1_251n) } })],
    [
      "creditor",
      () => ({
        order: { ...submission.order, creditor: { ...submission.order.creditor, name: "Shop 2" } },
      }),
    ],
    ["debit", () => ({ debit: { ...submission.debit, fee: eur(601n) } })],
  ])("with another %s under the same id is a conflict", async (_what, other) => {
    await submit();
    expect(await submit(other())).toBe("conflict");
  });

  it("that was never submitted is not known, nor is an id of another form", async () => {
    const { payment } = corePayments(database.db, aspspProfile);
    expect(await payment(newPaymentId())).toBeUndefined();
    expect(await payment("none" as never)).toBeUndefined();
  });
});

describe("whether funds are there is looked at with the fee", () => {
  it.each([
    ["exactly enough", 1_850n, 0n, true],
    ["a cent too little", 1_849n, 0n, false],
    ["enough with the overdraft", 0n, 1_850n, true],
    ["a cent too little with the overdraft", -1n, 1_850n, false],
  ])("%s", async (_what, balance, overdraftMinor, fundsAvailable) => {
    submission = await submissionOf({}, { overdraftMinor });
    const rest = { ...bookedEntry(0), amountMinor: balance - 100_000n };
    await addEntries(database.db, submission.debit.accountId, [rest]);
    expect(await submit()).toMatchObject({ status: "ACCP", fundsAvailable });
  });

  it("what another transaction takes from the account just now is waited for", async () => {
    let answer: ReturnType<typeof submit> | undefined;
    await database.db.transaction(async (tx) => {
      const taken = { amountMinor: -99_000n, enteredOn: today };
      await addEntries(tx, submission.debit.accountId, [taken]);
      answer = submit();
      await waitingForLocks(database, 1);
    });
    expect(await answer).toMatchObject({ status: "ACCP", fundsAvailable: false });
  });
});

describe("a payment is refused", () => {
  it("from an account that is blocked", async () => {
    await account("update ledger_account set status = 'blocked' where id = $1");
    expect(await submit()).toEqual(refusedFor("account-blocked"));
    expect(await used()).toEqual([]);
  });

  it("above the limit the PSU has set in the bank's own channel, and for good", async () => {
    await database.sql`update customer set payment_limit_minor = 1249 where id = ${ana}`;
    expect(await submit()).toEqual(refusedFor("psu-limit"));
    await database.sql`update customer set payment_limit_minor = 1250 where id = ${ana}`;
    expect(await submit()).toEqual(refusedFor("psu-limit"));
    submission = await submissionOf();
    expect(await submit()).toEqual(accepted);
    expect(await used()).toEqual([[today, 1_250]]);
  });

  it("above the limit of a day, with the day's first payment", async () => {
    expect(await submit({}, limitedTo(1_249n))).toEqual(refusedFor("day-limit"));
    expect(await used()).toEqual([]);
  });

  const changes = [
    ["closed", "update ledger_account set status = 'deleted' where id = $1"],
    ["no payment account", "update ledger_account set kind = 'savings' where id = $1"],
    [
      "under another IBAN",
      "update ledger_account set iban = 'RO2' || substr(iban, 4) where id = $1",
    ],
    ["nobody's", "delete from account_owner where account_id = $1"],
  ] as const;
  it.each(changes)("P9: from an account that is %s", async (_what, change) => {
    await account(change);
    expect(await submit()).toEqual(refusedFor("account-blocked"));
  });

  it.each(changes)("P7: from an account that is %s at this moment", async (_what, change) => {
    let answer: ReturnType<typeof submit> | undefined;
    await database.sql.begin(async (tx) => {
      await tx.unsafe(change, [submission.debit.accountId]);
      answer = submit();
      await waitingForLocks(database, 1);
    });
    expect(await answer).toEqual(refusedFor("account-blocked"));
  });

  it("P9: from another PSU's account", async () => {
    const customerId = await addCustomer(database.db, "Mihai Ionescu");
    expect(await submit({ customerId })).toEqual(refusedFor("account-blocked"));
  });

  it("P9: in another currency than the account's", async () => {
    submission = await submissionOf({}, { currency: money("RON") });
    expect(await submit()).toEqual(refusedFor("account-blocked"));
  });
});

describe("limits", () => {
  const profile = limitedTo(3_000n);
  const statusOf = async (minor: bigint, given: Partial<PaymentSubmission> = {}) => {
    const { debit, order } = submission;
    const next = submitting(debit.accountId, { ...order, amount: eur(minor) });
    const answer = await submit({ ...next, ...given }, profile);
    return answer === "conflict" ? answer : (answer.history[0]?.reason ?? answer.status);
  };

  it("count the amount in the limit's currency, not the order's", async () => {
    await database.sql`update customer set payment_limit_minor = 250 where id = ${ana}`;
    const { order } = submission;
    const inRon = (minorUnits: bigint) => ({ currency: money("RON"), minorUnits });
    expect(await statusOf(1n, { order: { ...order, amount: inRon(1_250n) } })).toBe("ACCP");
    expect(await statusOf(1n, { order: { ...order, amount: inRon(1_300n) } })).toBe("psu-limit");
  });

  it("of a day are used up and not passed; what is refused takes nothing of them", async () => {
    expect(await statusOf(2_000n)).toBe("ACCP");
    expect(await statusOf(1_001n)).toBe("day-limit");
    expect(await statusOf(1_000n)).toBe("ACCP");
    expect(await statusOf(1n)).toBe("day-limit");
    expect(await used()).toEqual([[today, 3_000]]);
  });

  it("of each local day and each PSU are their own", async () => {
    expect(await statusOf(3_000n)).toBe("ACCP");
    const tomorrow = { authorisedAt: hoursOn(24) };
    expect(await statusOf(3_000n, tomorrow)).toBe("ACCP");
    expect(await statusOf(1n, tomorrow)).toBe("day-limit");
    expect(await used()).toEqual([
      [today, 3_000],
      [addDays(today, 1), 3_000],
    ]);
    const mihai = await addCustomer(database.db, "Mihai Ionescu");
    submission = await submissionOf({}, {}, mihai);
    expect(await submit({}, profile)).toEqual(accepted);
  });

  it("hold for a PSU's accounts together", async () => {
    expect(await statusOf(2_000n)).toBe("ACCP");
    submission = await submissionOf();
    expect(await statusOf(2_000n)).toBe("day-limit");
  });

  it("B8: of 200 payments at once against the limit of 10 exactly 10 are accepted", async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => submissionOf()));
    const all = accounts.flatMap(({ debit, order }) =>
      Array.from({ length: 10 }, () => submitting(debit.accountId, order)),
    );
    const answers = await Promise.all(all.map((one) => submit(one, limitedTo(12_500n))));
    const count = (status: string) =>
      answers.filter((answer) => answer !== "conflict" && answer.status === status).length;
    expect([count("ACCP"), count("RJCT")]).toEqual([10, 190]);
    expect(await used()).toEqual([[today, 12_500]]);
  });
});

describe("a quote", () => {
  const quote = (order: Partial<PaymentOrder> = {}, profile: AspspProfile = aspspProfile) =>
    corePayments(database.db, profile).quotePayment({
      customerId: ana,
      order: { ...submission.order, ...order },
      now,
    });

  it("says what would leave which account, with the fee in the tariff's currency", async () => {
    expect(await quote()).toMatchObject({
      account: { id: submission.debit.accountId },
      debit: submission.debit,
      fee: eur(600n),
      fundsAvailable: true,
    });
    expect((await quote())?.rate).toBeUndefined();
  });

  it.each([
    ["before the cut-off", "sepa-credit-transfers", "2026-11-20T10:00:00Z", "2026-11-20"],
    ["after it, on a Friday", "sepa-credit-transfers", "2026-11-20T20:00:00Z", "2026-11-23"],
    ["on a holiday of TARGET", "target-2-payments", "2026-12-25T10:00:00Z", "2026-12-28"],
    ["on a Sunday", "instant-sepa-credit-transfers", "2026-11-22T10:00:00Z", "2026-11-22"],
  ] as const)("names the execution date: %s of %s", async (_, product, at, executionDate) => {
    const asked = { customerId: ana, order: { ...submission.order, product }, now: new Date(at) };
    const { products } = aspspProfile.payments;
    const terms = product.startsWith("instant") ? {} : { cutOff: "17:30" };
    const closing = { ...products, [product]: { ...products[product], ...terms } };
    const profile = { ...aspspProfile, payments: { ...aspspProfile.payments, products: closing } };
    const { quotePayment } = corePayments(database.db, profile);
    expect(await quotePayment(asked)).toMatchObject({ executionDate });
  });

  it("there is none from an account in a currency without a rate", async () => {
    submission = await submissionOf({}, { currency: money("CLF") });
    expect(await quote()).toBeUndefined();
  });

  it("names the rate where the account has another currency", async () => {
    submission = await submissionOf({}, { currency: money("RON") });
    const quoted = await quote();
    if (quoted === undefined) throw new Error("no quote");
    expect(quoted.debit).toEqual(debitFrom(quoted.account, submission.order, aspspProfile));
    expect(quoted.rate).toEqual({
      from: "EUR",
      to: "RON",
      rate: "5.090000",
      source: "Drawbridge Bank",
    });
  });

  it("names the rate of whole units, however many digits their fractions have", async () => {
    const { EUR: one = 0n } = aspspProfile.ratesPerEuro;
    const ratesPerEuro = { ...aspspProfile.ratesPerEuro, JPY: 160n * one, BHD: (4n * one) / 10n };
    const profile = { ...aspspProfile, ratesPerEuro };
    for (const [currency, rate] of [
      ["JPY", "160.000000"],
      ["BHD", "0.400000"],
    ] as const) {
      submission = await submissionOf({}, { currency: money(currency) });
      expect((await quote({}, profile))?.rate?.rate).toBe(rate);
    }
  });

  it("says when funds are missing, and which limit would be passed", async () => {
    expect(await quote({ amount: eur(99_401n) })).toMatchObject({ fundsAvailable: false });
    await submit();
    expect(await quote({}, limitedTo(2_499n))).toMatchObject({ refusal: "day-limit" });
    expect((await quote({}, limitedTo(2_500n)))?.refusal).toBeUndefined();
    await database.sql`update customer set payment_limit_minor = 1249 where id = ${ana}`;
    expect(await quote()).toMatchObject({ refusal: "psu-limit", ownLimit: eur(1_249n) });
    await account("update ledger_account set status = 'blocked' where id = $1");
    expect(await quote()).toMatchObject({ refusal: "account-blocked" });
  });

  it("P9: is not given for an account that is none of the PSU's", async () => {
    expect(await quote({ debtor: { iban: newIban() } })).toBeUndefined();
    await account("update ledger_account set status = 'deleted' where id = $1");
    expect(await quote()).toBeUndefined();
  });
});
