import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TppId } from "@/lib/domain/values";
import { oidcModels } from "./oidc";
import { sandboxClock } from "./sandbox";
import { fileDatabase, minutesOn, now, waitingForLocks, winners } from "./testing";

const database = await fileDatabase();

describe("a stored payload", () => {
  const models = oidcModels(database.db);

  const later = minutesOn(1);
  const put = (
    hash: string,
    {
      model = "AuthorizationCode",
      until = later,
      ...keys
    }: Readonly<Record<string, unknown>> & {
      readonly model?: string;
      readonly until?: Date;
    } = {},
  ) => models.upsert(model, hash, { hash }, until, keys);
  const code = (hash: string, at = now) => models.find("AuthorizationCode", hash, at);

  describe("what is kept", () => {
    test("comes back as it was", async () => {
      const payload = { params: { state: "\u0000\ud800 ✓", nested: [1, { a: null }] }, exp: 12 };
      await models.upsert("Interaction", "kept", payload, later, {});
      expect(await models.find("Interaction", "kept", now)).toEqual({
        payload,
        expiresAt: later,
        consumedAt: undefined,
      });
    });

    test("is found under its own model only", async () => {
      await put("named");
      expect(await models.find("RefreshToken", "named", now)).toBeUndefined();
      await put("named", { model: "RefreshToken" });
      await models.destroy("RefreshToken", "named");
      expect(await code("named")).toBeDefined();
    });

    test("is gone once it is destroyed", async () => {
      await put("destroyed");
      await models.destroy("AuthorizationCode", "destroyed");
      expect(await code("destroyed")).toBeUndefined();
    });

    test("O5: is not found from the moment it expires", async () => {
      await put("old");
      expect(await code("old", new Date(later.getTime() - 1))).toBeDefined();
      expect(await code("old", later)).toBeUndefined();
    });

    test("of a sandbox's client with a clock of its own ends by that clock, and no other client's does", async () => {
      const clock = sandboxClock(database.db);
      const clientId = "PSDRO-NBR-1" as TppId;
      const save = (hash: string, client: string) =>
        models.upsert("AuthorizationCode", hash, { clientId: client }, later, {});
      await save("before", clientId);
      await save("other", "PSDRO-NBR-2");
      const seconds = (later.getTime() - now.getTime()) / 1_000;
      await clock.setAhead(clientId, seconds);
      expect(await code("before", new Date(now.getTime() - 1))).toBeDefined();
      expect(await code("before")).toBeUndefined();
      expect(await models.consume("AuthorizationCode", "before", now)).toBe(false);
      expect(await code("other")).toBeDefined();
      // Saved while the clock is ahead, it lives its whole lifetime.
      await save("after", clientId);
      expect((await code("after"))?.expiresAt).toEqual(later);
      expect(await code("after", later)).toBeUndefined();
      await clock.setAhead(clientId, 0);
    });

    test("is replaced whole when it is saved again", async () => {
      await put("again", { uid: "before", grantId: "before", accountId: "before" });
      await models.upsert("AuthorizationCode", "again", { next: true }, minutesOn(9), {});
      expect(await code("again", minutesOn(8))).toMatchObject({ payload: { next: true } });
      const [row] = await database.sql`select grant_id, uid, account_id from oidc_payload
      where id_hash = 'again'`;
      expect(row).toEqual({ grant_id: null, uid: null, account_id: null });
    });
  });

  describe("O6: a code is consumed once", () => {
    test("by exactly one of 50 parallel requests", async () => {
      await put("raced");
      const consume = () => models.consume("AuthorizationCode", "raced", now);
      expect(await winners(50, consume)).toBe(1);
      expect((await code("raced"))?.consumedAt).toEqual(now);
    });

    test("and stays consumed when it is saved again", async () => {
      await put("used");
      await models.consume("AuthorizationCode", "used", now);
      await put("used");
      expect((await code("used"))?.consumedAt).toEqual(now);
      expect(await models.consume("AuthorizationCode", "used", now)).toBe(false);
    });

    test("and not once it has expired, nor when it is unknown or of another model", async () => {
      await put("late");
      expect(await models.consume("AuthorizationCode", "late", later)).toBe(false);
      expect(await models.consume("RefreshToken", "late", now)).toBe(false);
      expect(await models.consume("AuthorizationCode", "never", now)).toBe(false);
    });
  });

  test("a revoked grant takes all that came from it, and nothing else", async () => {
    for (const model of ["AccessToken", "RefreshToken", "AuthorizationCode"]) {
      await put("of-grant", { model, grantId: "g1" });
    }
    await put("of-other-grant", { grantId: "g2" });
    await models.revokeByGrant("g1");
    for (const model of ["AccessToken", "RefreshToken", "AuthorizationCode"]) {
      expect(await models.find(model, "of-grant", now)).toBeUndefined();
    }
    expect(await code("of-other-grant")).toBeDefined();
  });

  test("a sweep takes what has expired, oldest first, and no more than its limit", async () => {
    await database.sql`delete from oidc_payload`;
    for (const minute of [3, 1, 2, 5]) await put(`at-${minute}`, { until: minutesOn(minute) });
    expect(await models.destroyExpired(minutesOn(3), 2)).toBe(2);
    const left = () => database.sql`select id_hash from oidc_payload order by id_hash`;
    expect(await left()).toEqual([{ id_hash: "at-3" }, { id_hash: "at-5" }]);
    expect(await models.destroyExpired(minutesOn(3), 2)).toBe(1);
    expect(await models.destroyExpired(minutesOn(3), 2)).toBe(0);
    expect(await left()).toEqual([{ id_hash: "at-5" }]);
  });

  test("a sweep does not wait for what somebody else is at", async () => {
    await database.sql`delete from oidc_payload`;
    await put("busy");
    await put("free");
    await database.sql.begin(async (tx) => {
      await tx`select from oidc_payload where id_hash = 'busy' for update`;
      expect(await models.destroyExpired(later, 100)).toBe(1);
    });
    expect(await models.destroyExpired(later, 100)).toBe(1);
  });

  test("parallel revocations queue, and do not deadlock", async () => {
    const all = Array.from({ length: 60 }, (_, nth) => put(`met-${nth}`, { grantId: "met" }));
    await Promise.all(all);
    const revocations: Promise<void>[] = [];
    await database.sql.begin(async (tx) => {
      // All of them come this far, each with the locks it has by then, before any can go on.
      await tx`select from oidc_payload where id_hash = 'met-30' for update`;
      for (let nth = 0; nth < 4; nth += 1) revocations.push(models.revokeByGrant("met"));
      await waitingForLocks(database, 4);
    });
    await Promise.all(revocations);
    expect(await code("met-1")).toBeUndefined();
  });
});

describe("the rotation of a refresh token", () => {
  const models = oidcModels(database.db);

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
  const usedAt = async (token: string) =>
    (await models.find("RefreshToken", token, now))?.consumedAt;

  test("the newest token is used, and again until the grace is over, which repeats do not prolong", async () => {
    const { token } = await newGrant();
    expect(await rotate(token)).toBe(true);
    expect(await rotate(token, secondsOn(40))).toBe(true);
    expect(await rotate(token, secondsOn(59.999))).toBe(true);
    expect(await rotate(token, secondsOn(60))).toBe(false);
    expect(await usedAt(token)).toEqual(now);
  });

  test.each([
    ["its own end", 60, 120],
    ["the end of its grant", 120, 60],
  ])(
    "a refresh token is not used once the clock of its client has passed %s",
    async (_end, token, grant) => {
      const clientId = "PSDRO-NBR-3" as TppId;
      const [grantId, hash] = [crypto.randomUUID(), crypto.randomUUID()];
      await models.upsert("Grant", grantId, { clientId }, minutesOn(grant), { grantId });
      await models.upsert("RefreshToken", hash, { clientId }, minutesOn(token), { grantId });
      const clock = sandboxClock(database.db);
      await clock.setAhead(clientId, 3_600);
      expect(await rotate(hash)).toBe(false);
      await clock.setAhead(clientId, 3_599);
      expect(await rotate(hash)).toBe(true);
      await clock.setAhead(clientId, 0);
    },
  );

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
});
