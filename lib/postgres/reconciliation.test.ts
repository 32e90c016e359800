import { beforeEach, expect, it, vi } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { type CoreBank, expiredCursor } from "@/lib/domain/core-bank";
import { submitDuePayments } from "@/lib/domain/payments";
import { type Difference, differencesSince, followChanges } from "@/lib/domain/reconciliation";
import { type ChangePosition, newPaymentId, type PaymentId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { reconciliationStore } from "./reconciliation";
import { challengedPayment, minutesOn, payer, submissionPorts, testStores } from "./testing";

const { database, stores } = await testStores();
let paymentId: PaymentId;
let begin: Date;

/** An authorised payment that the job has submitted, and nobody has asked about since. */
beforeEach(async () => {
  await database.sql`delete from payment_submission`;
  await database.sql`update core_bank_feed set position = null`;
  const decision = await challengedPayment(stores, await payer(database.db));
  paymentId = decision.paymentId;
  begin = decision.at;
  expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
  await submitDuePayments(submissionPorts(database.db), minutesOn(2));
});

const reconciliation = reconciliationStore(database.db);

function ports(coreBank: Partial<CoreBank> = {}) {
  const real = submissionPorts(database.db);
  return {
    ...real,
    reconciliation,
    coreBank: { ...ledger(database.db, aspspProfile), ...coreBank },
  };
}

/** All of the feed. */
async function follow(coreBank: Partial<CoreBank> = {}): Promise<readonly Difference[]> {
  const page = await followChanges(ports(coreBank));
  return page.more ? [...page.differences, ...(await follow(coreBank))] : page.differences;
}

async function compared(
  coreBank: Partial<CoreBank> = {},
  of: PaymentId = paymentId,
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for await (const difference of differencesSince(ports(coreBank), begin)) found.push(difference);
  return found.filter((difference) => difference.paymentId === of);
}

async function statusHere(): Promise<string> {
  const [payment] = await reconciliation.find([paymentId]);
  return payment?.status ?? "none";
}

it("what the core bank's feed tells is written here, whatever became of the answers", async () => {
  expect(await statusHere()).toBe("ACCP");
  const before = await reconciliation.feedPosition();
  await paymentExecution(database.db, aspspProfile).advance(minutesOn(2), 100);
  await changesAfter(before);
  expect(await compared()).toEqual([
    { paymentId, kind: "behind-here", here: "ACCP", there: "ACSP" },
  ]);
  expect(await follow()).toEqual([]);
  expect(await statusHere()).toBe("ACSP");
  expect(await compared()).toEqual([]);
});

it("each change is read once, and a change that took long is not left out", async () => {
  await allFinal();
  await follow();
  const before = await reconciliation.feedPosition();
  const slow = database.sql.begin(async (sql) => {
    // The transaction has its number before the other one, and ends after it.
    await sql`select pg_current_xact_id()`;
    await paymentExecution(database.db, aspspProfile).advance(minutesOn(2), 100);
    const page = await ledger(database.db, aspspProfile).paymentChanges(before);
    expect(page).toEqual({ changes: [], next: before });
  });
  await slow;
  const { next } = await changesAfter(before);
  expect((await ledger(database.db, aspspProfile).paymentChanges(next)).changes).toEqual([]);
});

/** Until then any transaction of the cluster that is under way, as of another test, keeps changes back. */
async function allFinal() {
  await vi.waitFor(async () => {
    const [all] = await database.sql<{ final: boolean }[]>`
      select bool_and(changed_in < pg_snapshot_xmin(pg_current_snapshot())) as final
      from ledger_payment_status`;
    expect(all?.final).toBe(true);
  }, 60_000);
}

async function changesAfter(before: ChangePosition | undefined) {
  await allFinal();
  const page = await ledger(database.db, aspspProfile).paymentChanges(before);
  expect(page.changes.map((change) => change.paymentId)).toContain(paymentId);
  return page;
}

it("a core bank that was restored from a backup does not take a status back, and the difference is found", async () => {
  const history = [{ status: "ACCP" as const, at: begin }];
  const before = await reconciliation.feedPosition();
  await paymentExecution(database.db, aspspProfile).advance(minutesOn(2), 100);
  await changesAfter(before);
  await follow();
  const restored = {
    payment: async () => ({ status: "ACCP" as const, history, nextAt: minutesOn(3) }),
  };
  expect(await compared(restored)).toEqual([
    { paymentId, kind: "contradictory", here: "ACSP", there: "ACCP" },
  ]);
  expect(await compared({ payment: async () => undefined })).toEqual([
    { paymentId, kind: "unknown-there", here: "ACSP" },
  ]);
  expect(await statusHere()).toBe("ACSP");
});

it("another order under the id of a payment is told as a conflict, and its status is not written here", async () => {
  const decision = await challengedPayment(stores, await payer(database.db));
  await stores.authorisations.finalisePayment(decision);
  const other = { ...decision.debit, fee: { ...decision.debit.fee, minorUnits: 99n } };
  const { paymentId: id } = decision;
  const [payment] = await reconciliation.find([id]);
  if (payment?.psuId === undefined) throw new Error("a payment is lost");
  const { order, psuId: customerId } = payment;
  const submission = { ...{ paymentId: id, order, customerId, debit: other }, now: minutesOn(2) };
  await ledger(database.db, aspspProfile).submitPayment({ ...submission, authorisedAt: begin });
  await stores.payments.noteConflict(id);
  const conflict = { paymentId: id, kind: "conflict", here: "ACTC", there: "ACCP" };
  await allFinal();
  expect((await follow()).filter(({ paymentId }) => paymentId === id)).toEqual([conflict]);
  expect(await compared({}, id)).toEqual([conflict]);
  expect((await reconciliation.find([id]))[0]?.status).toBe("ACTC");
});

it("of a payment whose authorisation a restored backup does not have the core bank's word is written, and it is asked about until its end", async () => {
  await database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`delete from payment_submission where payment_id = ${paymentId}`;
    await sql`delete from payment_status_change where payment_id = ${paymentId} and status <> 'RCVD'`;
    await sql`update payment_state set status = 'RCVD', psu_id = null, authorised_at = null, debit_account_id = null,
      debit_currency = null, debit_minor = null, fee_minor = null where payment_id = ${paymentId}`;
  });
  await changesAfter(undefined);
  expect(await compared()).toEqual([
    { paymentId, kind: "behind-here", here: "RCVD", there: "ACCP" },
  ]);
  expect(await follow()).toEqual([]);
  expect(await statusHere()).toBe("ACCP");
  expect(await compared()).toEqual([]);
  const [state] = await database.sql`
    select authorisation_lost from payment_state where payment_id = ${paymentId}`;
  expect(state).toEqual({ authorisation_lost: true });
  expect(
    await database.sql`select attempts from payment_submission where payment_id = ${paymentId}`,
  ).toEqual([{ attempts: 0 }]);
});

it("a payment that was authorised before, and has changed at the core bank alone since then, is compared", async () => {
  const since = minutesOn(60);
  const history = [
    { status: "ACCP" as const, at: begin },
    { status: "ACSP" as const, at: since },
  ];
  const page = { changes: [{ paymentId, status: "ACSP" as const, history }] };
  const pages = [page, { changes: [] }];
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const paymentChanges = async () => ({ changes: [], ...pages.shift(), next });
  const found: Difference[] = [];
  for await (const one of differencesSince(ports({ paymentChanges }), since)) found.push(one);
  expect(found).toEqual([{ paymentId, kind: "behind-here", here: "ACCP", there: "ACSP" }]);
});

it("a page of the feed that is only older than what is known here is no difference, and a contradiction is one", async () => {
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const older = [{ status: "PDNG" as const, at: begin }];
  const page = { changes: [{ paymentId, status: "PDNG" as const, history: older }], next };
  const paymentChanges = async () => page;
  expect((await followChanges(ports({ paymentChanges }))).differences).toEqual([]);
  const payment = async () => ({ status: "PDNG" as const, history: older });
  expect((await followChanges(ports({ paymentChanges, payment }))).differences).toEqual([
    { paymentId, kind: "contradictory", here: "ACCP", there: "PDNG" },
  ]);
});

it("a payment of the core bank that is not known here is a difference", async () => {
  const stranger = newPaymentId();
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const change = {
    paymentId: stranger,
    status: "ACSC" as const,
    history: [{ status: "ACSC" as const, at: begin }],
  };
  const page = { changes: [change], next };
  expect((await followChanges(ports({ paymentChanges: async () => page }))).differences).toEqual([
    { paymentId: stranger, kind: "unknown-here", there: "ACSC" },
  ]);
});

it("a difference is told once, on however many pages of the feed its payment is, one of malformed changes before it", async () => {
  const stranger = newPaymentId();
  const history = [
    { status: "ACCP" as const, at: begin },
    { status: "ACSC" as const, at: minutesOn(1) },
  ];
  const changes = [{ paymentId: stranger, status: "ACSC" as const, history }];
  const pages = [{ unusable: 1 }, { changes }, { changes }, {}];
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const paymentChanges = async () => ({ changes: [], ...pages.shift(), next });
  expect(await compared({ paymentChanges }, stranger)).toEqual([
    { paymentId: stranger, kind: "unknown-here", there: "ACSC" },
  ]);
});

it.each([
  ["no longer knows", "lost"],
  ["has not reached, as after a restored backup,", `9999999999.${newPaymentId()}`],
])("a position that the core bank %s begins the feed again", async (_what, position) => {
  await follow();
  await reconciliation.moveFeedPosition(
    await reconciliation.feedPosition(),
    position as ChangePosition,
  );
  expect(await followChanges(ports())).toEqual({ more: true, differences: [] });
  expect(await reconciliation.feedPosition()).toBeUndefined();
});

it("a core bank that refuses even the beginning of its feed is asked again after a pause", async () => {
  const paymentChanges = () => Promise.reject(expiredCursor());
  expect(await followChanges(ports({ paymentChanges }))).toEqual({ more: false, differences: [] });
});

it("a page of malformed changes alone is not the end of the feed", async () => {
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const paymentChanges = async () => ({ changes: [], unusable: 2, next });
  expect(await followChanges(ports({ paymentChanges }))).toEqual({ more: true, differences: [] });
});

it("a change that cannot be written is a difference, and the feed goes on", async () => {
  const err = new Error("refused by the database");
  const next = "1.00000000-0000-0000-0000-000000000001" as ChangePosition;
  const history = [
    { status: "ACCP" as const, at: begin },
    { status: "ACSP" as const, at: minutesOn(2) },
  ];
  const changes = [{ paymentId, status: "ACSP" as const, history, nextAt: minutesOn(3) }];
  const given = ports({ paymentChanges: async () => ({ changes, next }) });
  const record = () => Promise.reject(err);
  expect(await followChanges({ ...given, payments: { ...given.payments, record } })).toEqual({
    more: true,
    differences: [{ paymentId, kind: "behind-here", here: "ACCP", there: "ACSP", err }],
  });
  expect(await reconciliation.feedPosition()).toBe(next);
});

it("of two servers that read the same page one moves the position", async () => {
  await reconciliation.moveFeedPosition(undefined, "1" as ChangePosition);
  await reconciliation.moveFeedPosition(undefined, "2" as ChangePosition);
  expect(await reconciliation.feedPosition()).toBe("1");
});
