import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import { exampleTpp, now, type Stores, storesOf, waitingForLocks } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedPayment,
  expectUnauthorised,
  type Payer,
  payer,
} from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let ana: Payer;
let decision: PaymentDecision;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());
beforeEach(async () => {
  ana = await payer(database.db);
  decision = await challengedPayment(stores, ana);
});

const finalise = (given: Partial<PaymentDecision> = {}) =>
  stores.authorisations.finalisePayment({ ...decision, ...given });
const accounts = (text: string) => database.sql.unsafe(text, [ana.accountId]);

describe("P9: the account is not, or no longer, one that this PSU may debit", () => {
  const changes = [
    ["closed", "update ledger_account set status = 'deleted' where id = $1"],
    ["no payment account", "update ledger_account set kind = 'savings' where id = $1"],
    [
      "under another IBAN",
      "update ledger_account set iban = 'RO1' || substr(iban, 4) where id = $1",
    ],
    ["nobody's", "delete from account_owner where account_id = $1"],
  ] as const;
  test.each(changes)("%s", async (_, change) => {
    await accounts(change);
    expect(await finalise()).toBe("gone");
    await expectUnauthorised(database, decision);
  });

  test("another's", async () => {
    const { psuId } = await payer(database.db);
    await database.sql`update account_owner set customer_id = ${psuId} where account_id = ${ana.accountId}`;
    expect(await finalise()).toBe("gone");
    await expectUnauthorised(database, decision);
  });

  test.each(changes)("P7: %s at this moment", async (_, change) => {
    let yes: Promise<string> | undefined;
    await database.sql.begin(async (tx) => {
      await tx.unsafe(change, [ana.accountId]);
      yes = finalise();
      await waitingForLocks(database, 1);
    });
    expect(await yes).toBe("gone");
    await expectUnauthorised(database, decision);
  });
});

describe("P9: an account of the PSU's is not debited", () => {
  test("that the order does not name", async () => {
    const debtor = { iban: "RO49DRWB1B31007593840000" as Iban };
    decision = await challengedPayment(stores, ana, { debtor });
    expect(await finalise()).toBe("gone");
    await expectUnauthorised(database, decision);
  });

  test("in another currency than the PSU has seen", async () => {
    ana = await payer(database.db, { currency: "RON" as never });
    decision = await challengedPayment(stores, ana);
    expect(await finalise()).toBe("gone");
    await expectUnauthorised(database, decision);
  });
});
