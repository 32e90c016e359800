import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type CoreBank, CustomerBlocked, type PaymentSubmission } from "@/lib/domain/core-bank";
import { UnavailableError } from "@/lib/domain/errors";
import {
  type AccountId,
  type Iban,
  newPaymentId,
  type PsuId,
  type TppId,
} from "@/lib/domain/values";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile as profile } from "@/lib/testing-profile";
import { connectCoreBank } from "../connect";
import { BLOCKED_PAYMENT_LIMIT_MINOR } from "./core-faults";
import { namespaces } from "./namespaces";
import { elsewhere, money, now, today } from "./testing";

type People = {
  readonly tpp: TppId;
  readonly psuId: PsuId;
  readonly accountId: AccountId;
  readonly iban: Iban;
};

const SLOW_MILLISECONDS = 2_000;

let database: TestDatabase;
let own: ReturnType<typeof namespaces>;
let sandbox: CoreBank;
let production: CoreBank;
let mine: People;
let others: People;

beforeAll(async () => {
  database = await testDatabase();
  own = namespaces(database.db);
  const connected = (clock?: ReturnType<typeof sandboxClock>) =>
    connectCoreBank(
      { CORE_BANK_CONNECTIONS: 1 } as Parameters<typeof connectCoreBank>[0],
      database.db,
      clock,
      SLOW_MILLISECONDS,
    ).coreBank(profile);
  [sandbox, production] = [connected(sandboxClock(database.db)), connected()];
});
afterAll(() => database.close());
beforeEach(async () => {
  [mine, others] = [await people(), await people()];
});

async function people(): Promise<People> {
  const tpp = `PSDRO-NBR-${randomInt(1_000_000, 9_999_999)}` as string as TppId;
  const maria = { login: "maria", name: "Maria Ene", paymentLimitMinor: null };
  const { id: psuId } = await own.createPsu(tpp, maria);
  const account = {
    ...{ psuId, currency: money("RON"), name: "Current account", product: "Everyday account" },
    ...{ openingMinor: 10_000n, overdraftMinor: 0n },
  };
  const { id: accountId, iban } = await own.createAccount(tpp, account, { profile, now });
  return { tpp, psuId, accountId, iban: iban as Iban };
}

const zero = { currency: money("RON"), minorUnits: 0n };

function paymentOf({ psuId, accountId, iban }: People): PaymentSubmission {
  const amount = { ...zero, minorUnits: 1_000n };
  const order = {
    product: "instant-sepa-credit-transfers",
    ...{ amount, debtor: { iban }, creditor: { name: "Shop", iban: elsewhere } },
    chargeBearer: "SLEV",
    rejectWithoutFunds: false,
  } as const;
  const debit = { accountId, amount, fee: zero };
  return { paymentId: newPaymentId(), customerId: psuId, order, debit, authorisedAt: now, now };
}

/** Every call that is about somebody's account, by its name. */
function callsOf(people: People, submission = paymentOf(people)) {
  const { psuId: customerId, accountId } = people;
  const { order, paymentId } = submission;
  const account = { customerId, accountId };
  const report = { ...account, statuses: ["booked"], from: today, to: today, limit: 1 } as const;
  const unknown = paymentId as string as Parameters<CoreBank["transaction"]>[1];
  return {
    accountsOf: (core: CoreBank) => core.accountsOf(customerId),
    accounts: (core: CoreBank) => core.accounts({ customerId, ids: [accountId] }),
    balances: (core: CoreBank) => core.balances({ customerId, ids: [accountId] }, now),
    transactions: (core: CoreBank) => core.transactions(report),
    transaction: (core: CoreBank) => core.transaction(account, unknown),
    standingOrders: (core: CoreBank) => core.standingOrders(account),
    checkFunds: (core: CoreBank) => core.checkFunds({ ...account, amounts: [zero] }),
    quotePayment: (core: CoreBank) => core.quotePayment({ customerId, order, now }),
    limits: (core: CoreBank) => core.limits(customerId, now),
    submitPayment: (core: CoreBank) => core.submitPayment(submission),
    payment: (core: CoreBank) => core.payment(paymentId),
  } as const satisfies Partial<Record<keyof CoreBank, (core: CoreBank) => Promise<unknown>>>;
}

it("away: no call about the namespace's people succeeds and nothing is done; those of others do", async () => {
  await own.setCoreBankState(mine.tpp, "away");
  const submission = paymentOf(mine);
  for (const [name, call] of Object.entries(callsOf(mine, submission))) {
    if (name === "payment") continue;
    await expect([name, call(sandbox)][1], name).rejects.toThrow(UnavailableError);
  }
  expect(await production.payment(submission.paymentId)).toBeUndefined();
  for (const [name, call] of Object.entries(callsOf(others))) {
    expect([name, await call(sandbox)]).not.toEqual([name, undefined]);
  }
  expect(await callsOf({ ...mine, psuId: "C-1" as string as PsuId }).accounts(sandbox)).toEqual([]);
  expect(await sandbox.payment(newPaymentId())).toBeUndefined();

  await own.setCoreBankState(mine.tpp, "available");
  expect(await callsOf(mine).accounts(sandbox)).toHaveLength(1);
});

it("broken: a payment is taken on and its answer is lost, so that it is there when the core bank is available", async () => {
  const submission = paymentOf(mine);
  const { submitPayment, payment, balances } = callsOf(mine, submission);
  await own.setCoreBankState(mine.tpp, "broken");
  await expect(submitPayment(sandbox)).rejects.toThrow(UnavailableError);
  await expect(payment(sandbox)).rejects.toThrow(UnavailableError);
  await expect(balances(sandbox)).rejects.toThrow(UnavailableError);
  await own.reset(mine.tpp, { profile, now });
  expect(await payment(sandbox)).toMatchObject({ status: "ACCP" });
});

it("slow: an answer comes, and those about others do not wait for it", async () => {
  await own.setCoreBankState(mine.tpp, "slow");
  let isAnswered = false;
  const slow = callsOf(mine)
    .accounts(sandbox)
    .then((accounts) => {
      isAnswered = true;
      return accounts;
    });
  expect(await callsOf(others).accounts(sandbox)).toHaveLength(1);
  expect(isAnswered).toBe(false);
  expect(await slow).toHaveLength(1);
});

it("777.05 as payment limit: the PSU is blocked in all channels until the limit changes, and a confirmed payment is executed", async () => {
  const { submitPayment, payment, ...reads } = callsOf(mine);
  expect(await reads.accounts(sandbox)).toHaveLength(1);
  await own.setPaymentLimit(mine.tpp, mine.psuId, BLOCKED_PAYMENT_LIMIT_MINOR);
  for (const [name, call] of Object.entries(reads)) {
    await expect([name, call(sandbox)][1], name).rejects.toThrow(CustomerBlocked);
  }
  expect(await submitPayment(sandbox)).toMatchObject({ status: "ACCP" });
  expect(await payment(sandbox)).toMatchObject({ status: "ACCP" });
  expect(await callsOf(others).accounts(sandbox)).toHaveLength(1);
  await own.setPaymentLimit(mine.tpp, mine.psuId, null);
  expect(await reads.accounts(sandbox)).toHaveLength(1);
});

it("X11: outside the sandbox no fault of a namespace is looked at", async () => {
  await own.setCoreBankState(mine.tpp, "away");
  await own.setPaymentLimit(mine.tpp, mine.psuId, BLOCKED_PAYMENT_LIMIT_MINOR);
  for (const [name, call] of Object.entries(callsOf(mine))) {
    expect([name, await call(production)]).not.toEqual([name, undefined]);
  }
});
