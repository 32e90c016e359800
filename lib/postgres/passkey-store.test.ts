import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import type { NewPasskey, PasskeyId, PasskeyStore } from "@/lib/domain/passkeys/passkey";
import { passkeyStore } from "./passkey-store";
import { ana, mihai, minutesOn, now, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let passkeys: PasskeyStore;
beforeAll(async () => {
  database = await testDatabase();
  passkeys = passkeyStore(database.db);
});
afterAll(() => database.close());

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

test("of 20 who add the same credential at once one is told that it was taken", async () => {
  const credentialId = randomUUID();
  const add = async () => (await passkeys.add(passkey({ credentialId }), 99)) === "passkey-added";
  expect(await winners(20, add)).toBe(1);
});

test("P6: of 20 that one PSU adds at once as many are taken as there may be; a removed one makes room the day after", async () => {
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

test("whoever adds or removes one leaves an event, once; what changes nothing leaves none", async () => {
  const psuId = randomUUID() as string as PsuId;
  const { id, credentialId } = await added({ psuId });
  await passkeys.add(passkey({ psuId, credentialId }), 10);
  await passkeys.add(passkey({ psuId }), 1);
  await passkeys.remove(id, mihai, now);
  await winners(5, () => passkeys.remove(id, psuId, minutesOn(1)));
  const rows = await database.sql`
    select kind, at, passkey_id, tpp_id from audit_event where psu_id = ${psuId} order by id`;
  const event = { passkey_id: id, tpp_id: null };
  expect(rows.map(({ at, ...row }) => ({ ...row, at: new Date(at) }))).toEqual([
    { ...event, kind: "passkey-added", at: now },
    { ...event, kind: "passkey-removed", at: minutesOn(1) },
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
