import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticator } from "@/lib/domain/testing/authenticator";
import { exampleTpp, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { payingWithPasskey } from "./testing-passkeys";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const atPayment = (device = authenticator()) => payingWithPasskey({ database, stores, device });

const finalised = (outcomes: readonly string[]) =>
  outcomes.filter((outcome) => outcome === "finalised");

test("P6, P8: code and passkey at once confirm a payment once, and either ends both", async () => {
  const { authorisation, code, signature, complete, statuses } = await atPayment();
  const proofs = [await code(), await signature()];
  const waiting = await authorisation();
  expect([waiting.challenge, waiting.passkeyChallenge]).not.toContain(undefined);
  const outcomes = await Promise.all(proofs.map(complete));
  expect(finalised(outcomes)).toHaveLength(1);
  expect(await statuses()).toHaveLength(3);
  const decided = await authorisation();
  expect(decided.scaStatus).toBe("finalised");
  expect([decided.challenge, decided.passkeyChallenge]).toEqual([undefined, undefined]);
  for (const proof of proofs) expect(await complete(proof)).toBe("ended");
});

test.each([true, false])(
  "P6: one signature, sent 4 times at once, confirms once (counted: %s)",
  async (counting) => {
    const { signature, complete, statuses } = await atPayment(authenticator({ counting }));
    const proof = await signature();
    expect(finalised(await Promise.all([1, 2, 3, 4].map(() => complete(proof))))).toHaveLength(1);
    expect(await statuses()).toHaveLength(3);
  },
);

test("P6: a signature is worth nothing once another challenge is open", async () => {
  const { signature, complete } = await atPayment();
  const first = await signature();
  const second = await signature();
  expect(await complete(first)).toBe("wrong-passkey");
  expect(await complete(second)).toBe("finalised");
});
