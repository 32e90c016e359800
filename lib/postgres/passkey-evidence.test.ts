import { createHash, createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
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

async function paid() {
  const paying = await payingWithPasskey({ database, stores, device: authenticator() });
  const proof = await paying.signature();
  expect(await paying.complete(proof)).toBe("finalised");
  const { id } = await paying.authorisation();
  const rows = await database.sql`select * from passkey_evidence where authorisation_id = ${id}`;
  return { ...paying, id, proof, rows };
}

const bytes = (text: unknown) => Buffer.from(String(text), "base64url");
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest();

/** The COSE_Key of ES256 ends with x, three bytes of CBOR, and y. */
function es256(coseKey: Buffer) {
  const [x, y] = [coseKey.subarray(-67, -35), coseKey.subarray(-32)];
  const point = { x: x.toString("base64url"), y: y.toString("base64url") };
  return createPublicKey({ key: { kty: "EC", crv: "P-256", ...point }, format: "jwk" });
}

test("P7: a payment confirmed by a passkey leaves what proves it, to whoever reads the rows later", async () => {
  const { payment, psuId, id, rows } = await paid();
  expect(rows).toHaveLength(1);
  const [row = {}] = rows;
  expect([row["psu_id"], new Date(String(row["at"]))]).toEqual([psuId, now]);

  const client = bytes(row["client_data_json"]);
  const signed = Buffer.concat([bytes(row["authenticator_data"]), sha256(client)]);
  const key = es256(bytes(row["public_key"]));
  expect(verify("sha256", signed, key, bytes(row["signature"]))).toBe(true);
  const text = String(row["text"]);
  expect(JSON.parse(client.toString()).challenge).toBe(sha256(text).toString("base64url"));

  const known = await stores.payments.findByAuthorisation(payment.authorisationId);
  if (known?.debit === undefined) throw new Error("not paid");
  const linked = await linkHash(paymentLink(known, known.debit));
  expect(text.split("\n")).toEqual(["passkey", id, payment.id, expect.any(String), linked]);
});

test("P7: evidence is neither changed nor removed", async () => {
  const { id } = await paid();
  const { sql } = database;
  const where = sql`where authorisation_id = ${id}`;
  for (const change of [
    sql`update passkey_evidence set signature = 'other' ${where}`,
    sql`delete from passkey_evidence ${where}`,
    sql`truncate passkey_evidence`,
  ]) {
    await expect(change).rejects.toThrow(/never changed or removed/);
  }
});

test("P7: of what was refused nothing is kept, and of what was confirmed by a code no signature", async () => {
  const paying = await payingWithPasskey({ database, stores, device: authenticator() });
  await paying.signature();
  const { id } = await paying.authorisation();
  const wrong = { method: "passkey", assertion: authenticator().use("x") } as const;
  expect(await paying.complete(wrong)).toBe("wrong-passkey");
  expect(await paying.complete(await paying.code())).toBe("finalised");
  const rows = await database.sql`select * from passkey_evidence where authorisation_id = ${id}`;
  expect(rows).toEqual([]);
});
