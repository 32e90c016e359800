import { expect, onTestFinished, test } from "vitest";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import type { PaymentId, TppId } from "@/lib/domain/identifiers";
import { submitDuePayments } from "@/lib/domain/payment/submit-payment";
import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import { connect } from "./client";
import { minutesOn, now } from "./samples";
import { databaseBefore } from "./testing-migrations";
import { submissionPorts } from "./testing-payment-samples";

type Sql = Awaited<ReturnType<typeof databaseBefore>>["sql"];
const account = crypto.randomUUID();
const clearing = crypto.randomUUID();
const psu = crypto.randomUUID();

/** A customer with EUR 1,000.00, who has used EUR 50.00 of the limit of the day. */
async function books(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into tpp values ('PSDRO-NBR-1234567', 'TPP', 'NBR', 'RO-NBR', '{PSP_PI}', now());
    insert into customer (id, name) values ('${psu}', 'Ana');
    insert into ledger_account
      (id, iban, status, overdraft_minor, currency, bic, name, product, kind, usage, is_default, position)
    values ('${account}', 'RO00DRWB0000000000000001', 'enabled', 0, 'EUR', 'DRWBROBU', 'A', 'A', 'current', 'PRIV', true, 0),
      ('${clearing}', null, 'enabled', 0, 'EUR', 'DRWBROBU', 'C', 'C', 'internal', 'PRIV', false, 0);
    insert into account_owner values ('${account}', '${psu}', 'owner');
    insert into payment_limit_day values ('${psu}', '2026-11-20', 5000)`);
  await entry(sql, { id: crypto.randomUUID(), minor: 100_000n, reference: null });
}

type Entry = {
  readonly id: string;
  readonly minor: bigint;
  readonly reference: string | null;
  readonly booked?: boolean;
};

function entry(sql: Sql, { id, minor, reference, booked = true }: Entry) {
  return sql`insert into ledger_entry (id, transfer_id, account_id, amount_minor, status, entered_on,
      booked_on, bank_transaction_code, changed_at, entry_reference)
    select gen_random_uuid(), ${id}, side.id, side.amount, ${booked ? "booked" : "pending"}, '2026-11-20',
      ${booked ? "2026-11-20" : null}, 'PMNT-ICDT-ESCT', now(), side.reference
    from (values (${account}::uuid, ${minor.toString()}::bigint, ${reference}::text),
      (${clearing}::uuid, -${minor.toString()}::bigint, null)) as side (id, amount, reference)`;
}

type Kept = {
  /** After RCVD. */
  readonly ways: readonly TransactionStatus[];
  readonly reason?: string;
  readonly due?: boolean;
  readonly product?: string;
};

/** A payment of EUR 10.00 as the first release kept it, with what it had entered. */
async function kept(sql: Sql, { ways, reason, due = false, product }: Kept): Promise<PaymentId> {
  const id = crypto.randomUUID();
  await sql`insert into payment (id, tpp_id, authorisation_id, product, amount_minor, currency, debtor_iban,
      creditor_name, creditor_iban, charge_bearer, reject_without_funds, instruction, created_at)
    values (${id}, 'PSDRO-NBR-1234567', gen_random_uuid(), ${product ?? "sepa-credit-transfers"}, 1000, 'EUR',
      'RO00DRWB0000000000000001', 'Shop', 'DE89370400440532013000', 'SLEV', false, '{}', ${now})`;
  await sql`insert into payment_state (payment_id, status, status_at) values (${id}, 'RCVD', ${now})`;
  if (ways.includes("ACTC")) {
    await sql`update payment_state set psu_id = ${psu}, authorised_at = ${now}, debit_account_id = ${account},
      debit_minor = 1000, fee_minor = 0 where payment_id = ${id}`;
  }
  for (const [nth, status] of ways.entries()) {
    await sql`update payment_state set status = ${status}, status_at = ${minutesOn(nth + 1)},
      reason = ${status === "RJCT" ? (reason ?? null) : null} where payment_id = ${id}`;
  }
  if (ways.includes("ACCP") && ways.at(-1) !== "RJCT") {
    await sql`update payment_state set limit_day = '2026-11-20', limit_minor = 1000, funds_available = true,
      due_at = ${due ? minutesOn(10) : null} where payment_id = ${id}`;
  }
  if (ways.includes("ACSP")) {
    const booked = ways.at(-1) !== "ACSP";
    await entry(sql, { id, minor: -1_000n, reference: id.replaceAll("-", ""), booked });
  }
  return id as string as PaymentId;
}

const accepted = ["ACTC", "ACCP"] as const;
const settled = [...accepted, "ACSP", "ACSC"] as const;

test("payments of the first release stay as they are and are executed to their end, each once", async () => {
  const { sql, url, migrateToTheLast } = await databaseBefore("core_payments");
  await books(sql);
  const instant = "instant-sepa-credit-transfers";
  const payments: Readonly<Record<string, readonly [Kept, TransactionStatus]>> = {
    received: [{ ways: [] }, "RCVD"],
    cancelled: [{ ways: ["RJCT"], reason: "cancelled" }, "RJCT"],
    refused: [{ ways: ["ACTC", "RJCT"], reason: "day-limit" }, "RJCT"],
    accepted: [{ ways: accepted, due: true }, "ACSC"],
    waiting: [{ ways: [...accepted, "PDNG"], due: true }, "ACSC"],
    "without funds": [{ ways: [...accepted, "PDNG", "RJCT"], reason: "no-funds" }, "RJCT"],
    "in execution": [{ ways: [...accepted, "ACSP"], due: true }, "ACSC"],
    settled: [{ ways: settled }, "ACSC"],
    "settled, to be credited": [{ ways: settled, due: true, product: instant }, "ACCC"],
    credited: [{ ways: [...settled, "ACCC"], product: instant }, "ACCC"],
  };
  const ids = new Map<string, PaymentId>();
  for (const [name, [given]] of Object.entries(payments)) ids.set(name, await kept(sql, given));
  const statuses = async () => {
    const rows = await sql`select payment_id as id, status from payment_state`;
    const of = new Map(rows.map(({ id, status }) => [id, status]));
    return Object.fromEntries([...ids].map(([name, id]) => [name, of.get(id)]));
  };
  const before = await statuses();
  const changes = () => sql`select * from payment_status_change order by payment_id, at`;
  const history = await changes();

  await migrateToTheLast();
  expect(await statuses()).toEqual(before);
  expect(await changes()).toEqual(history);

  const { db, close } = connect(url, { max: 2 });
  onTestFinished(close);
  const ports = submissionPorts(db);
  const found = await ports.payments.findOfTpp(
    ids.get("in execution") as PaymentId,
    "PSDRO-NBR-1234567" as TppId,
  );
  expect(found).toMatchObject({
    status: "ACSP",
    psuId: psu,
    debit: { accountId: account, amount: { currency: "EUR", minorUnits: 1_000n } },
  });
  for (const minutes of [9, 10, 11, 12]) {
    await paymentExecution(db).advance(minutesOn(minutes), 20);
    await submitDuePayments(ports, minutesOn(minutes));
    if (minutes === 9) expect(await statuses()).toEqual(before);
  }
  const ends = Object.entries(payments).map(([name, [, end]]) => [name, end]);
  expect(await statuses()).toEqual(Object.fromEntries(ends));
  expect(await sql`select from payment_submission`).toEqual([]);

  const debits = await sql`select count(*)::int, sum(amount_minor)::int as minor,
    count(*) filter (where status = 'booked')::int as booked from ledger_entry where account_id = ${account} and amount_minor < 0`;
  expect(debits).toEqual([{ count: 6, minor: -6_000, booked: 6 }]);
  const [day] = await sql`select used_minor::int from payment_limit_day`;
  expect(day).toEqual({ used_minor: 5_000 });
});
