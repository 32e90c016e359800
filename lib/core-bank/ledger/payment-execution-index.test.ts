import { drizzle } from "drizzle-orm/postgres-js";
import { expect, it, onTestFinished } from "vitest";
import { testDatabase } from "@/lib/postgres/testing";
import { claimDuePayment } from "./payment-execution/claim-due-payment";
import { addAccount, addCustomer } from "./testing";
import { duePayment, now } from "./testing-payments";

it("what is due is read off an index, however many payments are over", async () => {
  const database = await testDatabase();
  onTestFinished(database.close);
  const psu = await addCustomer(database.db, "Ana Popescu");
  const debtor = await addAccount(database.db, { [psu]: "owner" });
  const id = await duePayment(database.db, { debtor });
  await database.sql`
    with over as (
      insert into payment (id, tpp_id, authorisation_id, product, amount_minor, currency, debtor_iban,
        creditor_name, creditor_iban, charge_bearer, reject_without_funds, instruction, created_at)
      select gen_random_uuid(), tpp_id, gen_random_uuid(), product, amount_minor, currency, debtor_iban,
        creditor_name, creditor_iban, charge_bearer, reject_without_funds, instruction, created_at
      from payment, generate_series(1, 5000) returning id
    )
    insert into payment_state (payment_id, status, status_at) select id, 'RCVD', now() from over`;
  await database.sql`analyze payment, payment_state`;

  const asked: { text: string; params: unknown[] }[] = [];
  const logQuery = (text: string, params: unknown[]) => asked.push({ text, params });
  const logged = drizzle(database.sql, { logger: { logQuery } });
  expect(await claimDuePayment(logged, now)).toMatchObject({ id });
  const [{ text, params } = { text: "", params: [] }] = asked;
  const rows = await database.sql.unsafe(`explain ${text}`, params as string[]);
  const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  expect(plan).toMatch(/Index Scan using payment_state_due /);
  expect(plan).not.toMatch(/Seq Scan on payment/);
});
