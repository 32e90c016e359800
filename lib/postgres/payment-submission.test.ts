import { beforeEach, describe, expect, test, vi } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import type { PaymentDecision } from "@/lib/domain/authorisation";
import type { CoreBank, PaymentProgress, PaymentStep } from "@/lib/domain/core-bank";
import type { Payment } from "@/lib/domain/payment-order";
import { answeredPayment, submitDuePayments, submitPayment } from "@/lib/domain/payments";
import { addTime } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import {
  challengedPayment,
  confirmed,
  eur,
  minutesOn,
  payer,
  submissionPorts,
  testStores,
} from "./testing";

const { database, stores } = await testStores();
let decision: PaymentDecision;
beforeEach(async () => {
  await database.sql`delete from payment_submission`;
  await database.sql`update ledger_payment set due_at = null`;
  decision = await challengedPayment(stores, await payer(database.db));
});

const limits = aspspProfile.payments.submission;
/** When the outbox submits it. */
const due = minutesOn(2);
const secondsAfter = (instant: Date, seconds: number) => addTime(instant, seconds, "second");
const authorise = (one = decision) => stores.authorisations.finalisePayment(one);
const job = (at: Date, coreBank: Partial<CoreBank> = {}) => {
  const ports = submissionPorts(database.db);
  const faults: unknown[] = [];
  const submissionFaults = ({ err }: { readonly err: unknown }) => faults.push(err);
  const bank = { ...ports.coreBank, ...coreBank };
  return submitDuePayments({ ...ports, coreBank: bank, submissionFaults }, at).then((more) => ({
    more,
    faults,
  }));
};
/** As the request of its PSU's yes does it. */
const submitPaymentHere = (payment: Payment, coreBank: Partial<CoreBank>) => {
  const ports = submissionPorts(database.db);
  const bank = { ...ports.coreBank, ...coreBank };
  const submissionFaults = () => undefined;
  return submitPayment({ ...ports, coreBank: bank, submissionFaults }, payment, { now: due });
};
const advance = (at: Date) => paymentExecution(database.db, aspspProfile).advance(at, 20);
const paymentOf = async ({ authorisationId }: PaymentDecision = decision) => {
  const payment = await stores.payments.findByAuthorisation(authorisationId);
  if (payment === undefined) throw new Error("a payment is lost");
  return payment;
};
const statusesOf = async ({ paymentId }: PaymentDecision = decision) => {
  const rows = await database.sql`select status from payment_status_change
    where payment_id = ${paymentId} order by array_position(
      array['RCVD', 'ACTC', 'ACCP', 'PDNG', 'ACSP', 'ACSC', 'ACCC', 'RJCT'], status)`;
  return rows.map(({ status }) => status);
};
const inOutbox = async () => {
  const [row] = await database.sql<{ due: string; attempts: number }[]>`
    select due_at as due, attempts from payment_submission where payment_id = ${decision.paymentId}`;
  return row && { dueAt: new Date(row.due), attempts: row.attempts };
};
const debits = async () => {
  const reference = decision.paymentId.replaceAll("-", "");
  return (await database.sql`select from ledger_entry where entry_reference = ${reference}`).length;
};

describe("the outbox", () => {
  test("a payment that was submitted with its yes is asked about when its execution is due", async () => {
    expect(await confirmed(database.db, decision)).toBe("finalised");
    expect(await paymentOf()).toMatchObject({ status: "ACCP", fundsAvailable: true });
    expect(await inOutbox()).toEqual({ dueAt: decision.at, attempts: 0 });
  });

  test("a payment whose request was killed is submitted by the job, and booked once", async () => {
    await authorise();
    await job(secondsAfter(due, -0.001));
    expect(await statusesOf()).toEqual(["RCVD", "ACTC"]);
    expect(await job(due)).toEqual({ more: true, faults: [] });
    await advance(due);
    await job(due);
    await advance(secondsAfter(due, 5));
    await job(secondsAfter(due, 5));
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP", "ACSP", "ACSC"]);
    expect(await inOutbox()).toBeUndefined();
    expect(await debits()).toBe(1);
    expect(await job(minutesOn(99))).toEqual({ more: false, faults: [] });
  });

  test("a payment that the ledger has taken on, and of which nobody has heard, is not booked again", async () => {
    await authorise();
    const lost = async (submission: Parameters<CoreBank["submitPayment"]>[0]) => {
      await ledger(database.db, aspspProfile).submitPayment(submission);
      throw new Error("the connection is lost");
    };
    expect((await job(due, { submitPayment: lost })).faults).toHaveLength(1);
    expect(await statusesOf()).toEqual(["RCVD", "ACTC"]);
    await advance(due);
    await job(secondsAfter(due, 5));
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP", "ACSP"]);
    expect(await debits()).toBe(1);
  });

  test("the core bank is asked about it before it is sent again", async () => {
    await authorise();
    const submitPayment = vi.fn(async (submission: Parameters<CoreBank["submitPayment"]>[0]) => {
      await ledger(database.db, aspspProfile).submitPayment(submission);
      throw new Error("the connection is lost");
    });
    await job(due, { submitPayment });
    expect((await job(secondsAfter(due, 5), { submitPayment })).faults).toEqual([]);
    expect(submitPayment).toHaveBeenCalledTimes(1);
    expect(await paymentOf()).toMatchObject({ status: "ACCP" });
  });

  test("the core bank is asked about it too before the PSU's next page sends it again", async () => {
    await authorise();
    const lost = async (submission: Parameters<CoreBank["submitPayment"]>[0]) => {
      await ledger(database.db, aspspProfile).submitPayment(submission);
      throw new Error("the connection is lost");
    };
    await job(due, { submitPayment: lost });
    const ports = submissionPorts(database.db);
    const again = vi.fn(ports.coreBank.submitPayment);
    const asked = { ...ports, coreBank: { ...ports.coreBank, submitPayment: again } };
    const answered = await answeredPayment(asked, await paymentOf(), due);
    expect(answered).toMatchObject({ status: "ACCP" });
    expect(again).not.toHaveBeenCalled();
  });

  test("a refusal ends it, with the same reason", async () => {
    const psuDayLimit = eur(1_249n);
    expect(await confirmed(database.db, decision, { psuDayLimit })).toBe("rejected");
    expect(await paymentOf()).toMatchObject({ status: "RJCT", reason: "day-limit" });
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "RJCT"]);
    expect(await inOutbox()).toBeUndefined();
  });

  test("asks again and again after longer pauses while the core bank is unavailable, and gives nothing up", async () => {
    await authorise();
    const away = { submitPayment: () => Promise.reject(new Error("away")) };
    let at = due;
    for (const seconds of [5, 10, 20, 30, 30]) {
      expect((await job(at, away)).faults).toHaveLength(1);
      expect((await inOutbox())?.dueAt).toEqual(secondsAfter(at, seconds));
      expect((await job(secondsAfter(at, seconds - 0.001), away)).faults).toEqual([]);
      at = secondsAfter(at, seconds);
    }
    expect((await job(at)).faults).toEqual([]);
    expect(await paymentOf()).toMatchObject({ status: "ACCP" });
    expect((await inOutbox())?.attempts).toBe(0);
  });

  test.each<readonly [string, Partial<CoreBank>]>([
    ["does not know a payment it has taken on", { payment: async () => undefined }],
    ["has another payment under this id", { submitPayment: async () => "conflict" }],
  ])("nothing changes while the core bank %s", async (_what, coreBank) => {
    await (coreBank.payment ? confirmed(database.db, decision) : authorise());
    const before = await statusesOf();
    expect((await job(due, coreBank)).faults).toHaveLength(1);
    expect(await statusesOf()).toEqual(before);
    expect(await inOutbox()).toMatchObject({ attempts: 1 });
  });

  test("what the core bank tells of another order under the id is never this payment's, also if the conflict is noted meanwhile", async () => {
    await authorise();
    const before = await paymentOf();
    const history = ["ACCP", "ACSP", "ACSC"].map((status) => ({ status, at: due }) as PaymentStep);
    const others = { status: "ACSC", history } as const;
    const payment = vi.fn(async () => others);
    const submitPayment = async () => "conflict" as const;
    await submitPaymentHere(before, { submitPayment });
    await stores.payments.record(before, others, undefined);
    expect(await paymentOf()).toMatchObject({ status: "ACTC", conflict: true });
    expect((await job(due, { submitPayment, payment })).faults).toHaveLength(1);
    expect(payment).not.toHaveBeenCalled();
    expect(await statusesOf()).toEqual(["RCVD", "ACTC"]);
    expect(await inOutbox()).toMatchObject({ attempts: 1 });

    expect((await job(secondsAfter(due, 5))).faults).toEqual([]);
    const taken = await paymentOf();
    expect(taken.status).toBe("ACCP");
    expect(taken.conflict).toBeUndefined();
  });

  test("is not asked about at once again when there is nothing new", async () => {
    await confirmed(database.db, decision);
    expect(await job(due)).toEqual({ more: true, faults: [] });
    expect(await inOutbox()).toEqual({ dueAt: secondsAfter(due, 1), attempts: 0 });
    const history = [{ status: "ACCP" as const, at: due }];
    const soon = { status: "ACCP", history, nextAt: secondsAfter(due, 1.001) } as const;
    await job(secondsAfter(due, 1), { payment: async () => soon });
    expect(await inOutbox()).toEqual({ dueAt: secondsAfter(due, 2), attempts: 0 });
  });

  test.each<readonly [string, readonly PaymentProgress["status"][], PaymentProgress["status"]]>([
    ["older than what is known", ["ACCP", "ACSP", "ACSC"], "ACCP"],
    ["of another end", ["ACCP", "ACSP", "ACSC"], "RJCT"],
    ["of another way", ["ACCP", "ACSP"], "RJCT"],
  ])(
    "an answer %s changes nothing, is a fault, and is asked for again after a pause",
    async (_what, known, status) => {
      await authorise();
      const reason = "no-funds" as const;
      const steps = (of: readonly PaymentProgress["status"][]) =>
        of.map((one) => ({ status: one, at: due, ...(one === "RJCT" && { reason }) }));
      const before = { status: known.at(-1) ?? "ACCP", history: steps(known) };
      await stores.payments.record(await paymentOf(), before, due);
      const history = steps(status === "RJCT" ? ["ACCP", "RJCT"] : ["ACCP"]);
      const answer = { status, history, ...(status === "ACCP" && { nextAt: due }) };
      const told = await job(due, { payment: async () => answer });
      expect(told.faults).toEqual([
        new Error(`the core bank does not know of ${before.status} any more`),
      ]);
      expect(await statusesOf()).toEqual(["RCVD", "ACTC", ...known]);
      expect(await inOutbox()).toEqual({ dueAt: secondsAfter(due, 5), attempts: 1 });
    },
  );
});

describe("what the core bank answers", () => {
  const step = (status: PaymentProgress["status"]) => ({ status, at: due });
  const progress = (...statuses: PaymentProgress["status"][]): PaymentProgress => ({
    status: statuses.at(-1) ?? "ACCP",
    history: statuses.map(step),
  });

  test("all the statuses that a payment has had meanwhile are kept", async () => {
    await authorise();
    const answer = progress("ACCP", "PDNG", "ACSP", "ACSC", "ACCC");
    await stores.payments.record(await paymentOf(), answer, undefined);
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP", "PDNG", "ACSP", "ACSC", "ACCC"]);
    expect(await paymentOf()).toMatchObject({ status: "ACCC", statusAt: due });
  });

  test("an older answer changes no status", async () => {
    await authorise();
    const before = await paymentOf();
    await stores.payments.record(before, progress("ACCP", "ACSP", "ACSC"), undefined);
    await stores.payments.record(before, progress("ACCP", "PDNG"), due);
    await stores.payments.record(before, progress("ACCP"), due);
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP", "ACSP", "ACSC"]);
    expect(await inOutbox()).toBeUndefined();
  });

  test("of several at once the farthest stays", async () => {
    const ana = await payer(database.db);
    for (let round = 0; round < 20; round += 1) {
      decision = await challengedPayment(stores, ana);
      await authorise();
      const payment = await paymentOf();
      await Promise.all([
        stores.payments.record(payment, progress("ACCP"), due),
        stores.payments.record(payment, progress("ACCP", "PDNG", "ACSP"), due),
        stores.payments.record(payment, progress("ACCP", "PDNG"), due),
      ]);
      expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP", "PDNG", "ACSP"]);
    }
  });
});

describe("B15: several servers", () => {
  test("claim each payment once, and submit it once", async () => {
    const ana = await payer(database.db);
    const decisions = await Promise.all(
      Array.from({ length: 40 }, () => challengedPayment(stores, ana)),
    );
    await Promise.all(decisions.map(authorise));
    const { claimSubmissions } = stores.payments;
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimSubmissions(due, { ...limits, rowsAtOnce: 10 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const claimed of claims) expect(claimed.length).toBeLessThanOrEqual(10);
    const rest = await claimSubmissions(due, { ...limits, rowsAtOnce: 100 });
    expect(ids.length + rest.length).toBe(40);
    expect(await claimSubmissions(due, limits)).toEqual([]);
  });

  test("that submit one payment at once book it once", async () => {
    await authorise();
    const payment = await paymentOf();
    const ports = submissionPorts(database.db);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submitPayment(ports, payment, { now: due })),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set(["ACCP"]));
    await advance(due);
    expect(await debits()).toBe(1);
    expect(await statusesOf()).toEqual(["RCVD", "ACTC", "ACCP"]);
  });
});
