import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OidcModels, oidcModels } from "./oidc-models";
import { minutesOn, now, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let models: OidcModels;
beforeAll(async () => {
  database = await testDatabase();
  models = oidcModels(database.db);
});
afterAll(() => database.close());

const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

/** A grant with its first refresh token; `issue` gives the ones that come of it. */
async function newGrant(until = minutesOn(60)) {
  const grantId = crypto.randomUUID();
  await models.upsert("Grant", grantId, {}, until, { grantId });
  const issue = async (rotations?: number) => {
    const token = crypto.randomUUID();
    await models.upsert("RefreshToken", token, { rotations }, until, { grantId });
    return token;
  };
  return { grantId, issue, token: await issue() };
}

const rotate = (token: string, at = now) => models.rotate(token, at, 60);
const usedAt = async (token: string) => (await models.find("RefreshToken", token, now))?.consumedAt;

test("the newest token is used, and again until the grace is over, which repeats do not prolong", async () => {
  const { token } = await newGrant();
  expect(await rotate(token)).toBe(true);
  expect(await rotate(token, secondsOn(40))).toBe(true);
  expect(await rotate(token, secondsOn(59.999))).toBe(true);
  expect(await rotate(token, secondsOn(60))).toBe(false);
  expect(await usedAt(token)).toEqual(now);
});

test("the one before the newest is refused as soon as the newest has been used", async () => {
  const { token, issue } = await newGrant();
  await rotate(token);
  expect(await rotate(await issue(1), secondsOn(1))).toBe(true);
  expect(await rotate(token, secondsOn(1))).toBe(false);
});

test("50 parallel repeats are all served, and count as one rotation", async () => {
  const { grantId, token } = await newGrant();
  expect(await winners(50, () => rotate(token))).toBe(50);
  const [row] = await database.sql`select rotations from oidc_payload
    where model = 'Grant' and grant_id = ${grantId}`;
  expect(row).toEqual({ rotations: 1 });
});

test("parallel repeats when the grace is over are all refused", async () => {
  const { token } = await newGrant();
  await rotate(token);
  expect(await winners(50, () => rotate(token, secondsOn(61)))).toBe(0);
});

test("of the token and the one that came of it, used at once, the grant decides for one order", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { token, issue } = await newGrant();
    await rotate(token);
    const newer = await issue(1);
    const [repeated, used] = await Promise.all([rotate(token), rotate(newer)]);
    expect(used).toBe(true);
    expect([true, false]).toContain(repeated);
    expect(await rotate(token)).toBe(false);
  }
});

test("not once it has expired, nor when its grant is gone, nor when it is unknown or of another model", async () => {
  const { token } = await newGrant(secondsOn(10));
  expect(await rotate(token, secondsOn(10))).toBe(false);
  const { grantId, token: orphan } = await newGrant();
  await models.destroy("Grant", grantId);
  expect(await rotate(orphan)).toBe(false);
  expect(await rotate("never")).toBe(false);
  await models.upsert("AuthorizationCode", "code", {}, minutesOn(1), {});
  expect(await rotate("code")).toBe(false);
});

test("whatever is used when: a chain goes on from one token only", async () => {
  const uses = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 90 })), { maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(uses, async (sequence) => {
      const { token, issue } = await newGrant(minutesOn(600));
      const issued = [{ token, generation: 0 }];
      const firstUse = new Map<number, number>();
      let at = 0;
      for (const [which, seconds] of sequence) {
        at += seconds;
        const used = issued[which % issued.length];
        if (used === undefined) continue;
        const { generation } = used;
        const first = firstUse.get(generation);
        const inTime = first === undefined || at < first + 60;
        const expected = inTime && !firstUse.has(generation + 1);
        expect(await rotate(used.token, secondsOn(at))).toBe(expected);
        if (!expected) break;
        firstUse.set(generation, first ?? at);
        issued.push({ token: await issue(generation + 1), generation: generation + 1 });
      }
    }),
    { numRuns: 40 },
  );
});
