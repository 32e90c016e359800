import { createHash, createPublicKey, randomUUID, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import type { NewPasskey, PasskeyId } from "@/lib/domain/passkeys";
import { authenticator } from "@/lib/domain/testing/authenticator";
import type { PsuId } from "@/lib/domain/values";
import { passkeyStore } from "./passkeys";
import { ana, mihai, minutesOn, now, payingWithPasskey, testStores, winners } from "./testing";

const { database, stores } = await testStores();

describe("a passkey", () => {
  const passkeys = passkeyStore(database.db);

  const passkey = (given: Partial<NewPasskey> = {}): NewPasskey => ({
    id: randomUUID() as string as PasskeyId,
    credentialId: randomUUID(),
    psuId: ana,
    publicKey: "key",
    counter: 1,
    transports: ["internal", "hybrid"],
    name: "Phone",
    createdAt: now,
    ...given,
  });

  async function added(given: Partial<NewPasskey> = {}): Promise<NewPasskey> {
    const made = passkey(given);
    expect(await passkeys.add(made, 10)).toBe("passkey-added");
    return made;
  }
  const counterOf = async ({ id, psuId }: NewPasskey) =>
    (await passkeys.ofPsu(psuId)).find((one) => one.id === id)?.counter;

  test("a PSU's passkeys are kept as they were made, the oldest first", async () => {
    const later = await added({ createdAt: minutesOn(1) });
    const first = await added();
    await added({ psuId: mihai });
    expect(await passkeys.ofPsu(ana)).toEqual([first, later]);
  });

  test("a credential is taken once, whosever it is, and not again after its removal", async () => {
    const known = await added({ psuId: mihai });
    const { credentialId } = known;
    expect(await passkeys.add(passkey({ credentialId }), 10)).toBe("known-already");
    await passkeys.remove(known.id, mihai, now);
    expect(await passkeys.add(passkey({ credentialId, psuId: mihai }), 10)).toBe("known-already");
  });

  test("of 20 that add the same credential at once one succeeds", async () => {
    const credentialId = randomUUID();
    const add = async () => (await passkeys.add(passkey({ credentialId }), 99)) === "passkey-added";
    expect(await winners(20, add)).toBe(1);
  });

  test("P6: of 20 that one PSU adds at once as many are taken as there may be; a removed one frees its place the day after", async () => {
    const psuId = randomUUID() as string as PsuId;
    const add = async (createdAt = now) =>
      (await passkeys.add(passkey({ psuId, createdAt }), 3)) === "passkey-added";
    expect(await winners(20, add)).toBe(3);
    expect(await passkeys.add(passkey({ psuId }), 3)).toBe("too-many-passkeys");
    const [first] = await passkeys.ofPsu(psuId);
    if (first === undefined) throw new Error("none was added");
    await passkeys.remove(first.id, psuId, now);
    expect(await add(minutesOn(24 * 60 - 1))).toBe(false);
    expect(await winners(5, () => add(minutesOn(24 * 60)))).toBe(1);
  });

  test("an addition or removal leaves one event; what changes nothing leaves none", async () => {
    const psuId = randomUUID() as string as PsuId;
    const { id, credentialId } = await added({ psuId });
    await passkeys.add(passkey({ psuId, credentialId }), 10);
    await passkeys.add(passkey({ psuId }), 1);
    await passkeys.remove(id, mihai, now);
    await winners(5, () => passkeys.remove(id, psuId, minutesOn(1)));
    const rows = await database.sql`
    select kind, detail from event where subject = any(event_pseudonyms(${psuId})) order by id`;
    expect(rows).toEqual([
      { kind: "passkey-added", detail: { passkey: id } },
      { kind: "passkey-removed", detail: { passkey: id } },
    ]);
  });

  test("a counter only grows: of 20 with the same signature at once one may use it", async () => {
    const known = await added();
    expect(await winners(20, () => passkeys.use(known.id, 2, now))).toBe(1);
    for (const counter of [2, 1, 0]) expect(await passkeys.use(known.id, counter, now)).toBe(false);
    expect(await counterOf(known)).toBe(2);
    expect(await passkeys.use(known.id, 4_294_967_295, minutesOn(3))).toBe(true);
    const [used] = (await passkeys.ofPsu(ana)).filter(({ id }) => id === known.id);
    expect(used).toMatchObject({ counter: 4_294_967_295, lastUsedAt: minutesOn(3) });
  });

  test("a device that does not count says 0 each time, until it says more", async () => {
    const known = await added({ counter: 0 });
    expect(await passkeys.use(known.id, 0, now)).toBe(true);
    expect(await passkeys.use(known.id, 0, now)).toBe(true);
    expect(await passkeys.use(known.id, 5, now)).toBe(true);
    expect(await passkeys.use(known.id, 0, now)).toBe(false);
  });

  test("a removed one is shown to nobody and opens nothing; it is removed by its PSU alone, once", async () => {
    const known = await added();
    expect(await passkeys.remove(known.id, mihai, now)).toBe(false);
    expect(await passkeys.remove("no-uuid" as PasskeyId, ana, now)).toBe(false);
    expect(await winners(5, () => passkeys.remove(known.id, ana, now))).toBe(1);
    expect(await counterOf(known)).toBeUndefined();
    expect(await passkeys.use(known.id, 9, now)).toBe(false);
  });
});

describe("a passkey against a code", () => {
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
});

describe("the evidence of a passkey", () => {
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

  test("P7: a payment confirmed by a passkey leaves rows that prove it later", async () => {
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
    const linked = await linkedPayment(known, known.debit);
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
});
