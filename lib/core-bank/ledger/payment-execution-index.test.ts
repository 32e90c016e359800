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
