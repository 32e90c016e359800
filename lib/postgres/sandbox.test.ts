import { beforeEach, describe, expect, it, test } from "vitest";
import type { ClockReading, TppId } from "@/lib/domain/values";
import { connect } from "./client";
import { messageStore, sandboxClock } from "./sandbox";
import { ana, fileDatabase, mihai, minutesOn, patientBounds } from "./testing";

const database = await fileDatabase();

describe("the sandbox's clock", () => {
  const MINUTE = 60_000;
  const DAY = 1_440 * MINUTE;

  const clock = sandboxClock(database.db);
  beforeEach(async () => {
    await clock.reset();
  });

  const target = new Date("2399-05-20T10:00:00.250Z");

  /** A clock goes on between two looks at it: not before, and not long after. */
  function expectNear(now: Date | undefined, expected: number): void {
    const late = (now?.getTime() ?? 0) - expected;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(5 * MINUTE);
  }

  /** `now` and the offset belong together, whenever it was read. */
  function unmoved({ now, offsetMilliseconds = 0 }: ClockReading): number {
    return now.getTime() - offsetMilliseconds;
  }

  describe("the sandbox's clock", () => {
    it("is the database's as long as nobody has moved it", async () => {
      const [row] = await database.sql<[{ now: number }]>`
      select trunc(extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
      const reading = await clock.read();
      expectNear(reading.now, row.now);
      expect(reading.offsetMilliseconds).toBeUndefined();
    });

    it.each([
      ["forward", target],
      ["back", new Date("2025-02-28T23:59:59.999Z")],
    ])("is moved %s to an instant and goes on from there", async (_direction, instant) => {
      const moved = await clock.moveTo(instant);
      expectNear(moved.now, instant.getTime());
      expectNear(await clock.now(), instant.getTime());
      const again = await clock.read();
      expect(again.offsetMilliseconds).toBe(moved.offsetMilliseconds);
      expect(again.now.getTime()).toBeGreaterThanOrEqual(moved.now.getTime());
      expect(unmoved(again)).toBeGreaterThanOrEqual(unmoved(moved));
    });

    it("is moved to an instant wherever it was before", async () => {
      await clock.moveTo(new Date("2400-01-01T00:00:00Z"));
      expectNear((await clock.moveTo(target)).now, target.getTime());
    });

    it("is advanced from where it is, moved or not", async () => {
      expect((await clock.advance(10 * MINUTE))?.offsetMilliseconds).toBe(10 * MINUTE);
      const { offsetMilliseconds } = await clock.moveTo(target);
      const advanced = await clock.advance(DAY);
      expect(advanced?.offsetMilliseconds).toBe((offsetMilliseconds ?? 0) + DAY);
      expectNear(advanced?.now, target.getTime() + DAY);
    });

    it("X12: advanced 40 times at once over two servers: every one of them counts", async () => {
      const second = connect(database.url, { max: 10, bounds: patientBounds });
      try {
        const clocks = [clock, sandboxClock(second.db)];
        const each = Array.from({ length: 40 }, (_, index) => clocks[index % 2]?.advance(MINUTE));
        const offsets = (await Promise.all(each)).map((reading) => reading?.offsetMilliseconds);
        expect(new Set(offsets).size).toBe(40);
        for (const one of clocks) {
          expect((await one.read()).offsetMilliseconds).toBe(40 * MINUTE);
        }
      } finally {
        await second.close();
      }
    });

    it("ends with the year 2999: who would advance it further moves nothing", async () => {
      const beyond = 1_000 * 366 * DAY;
      expect(await clock.advance(beyond)).toBeUndefined();
      expect((await clock.read()).offsetMilliseconds).toBeUndefined();
      const { offsetMilliseconds } = await clock.moveTo(new Date("2999-12-31T12:00:00Z"));
      expect(await clock.advance(DAY)).toBeUndefined();
      expect((await clock.read()).offsetMilliseconds).toBe(offsetMilliseconds);
    });

    it("is set back to the database's, once or twice", async () => {
      await clock.moveTo(target);
      for (const reading of [await clock.reset(), await clock.reset()]) {
        expect(reading.offsetMilliseconds).toBeUndefined();
        expect(reading.now.getTime()).toBeLessThan(target.getTime());
      }
    });

    it("is one: the database takes no second row", async () => {
      await clock.moveTo(target);
      const second = database.sql`insert into sandbox_clock values (false, 0)`;
      await expect(second).rejects.toMatchObject({ code: "23514" });
    });
  });
});

describe("the clock of a TPP's namespace", () => {
  const clock = sandboxClock(database.db);
  const [one, other] = ["PSDRO-NBR-1", "PSDRO-NBR-2"] as readonly string[] as [TppId, TppId];
  const YEAR_SECONDS = 31_536_000;

  async function ahead(tppId: TppId): Promise<number> {
    const [bank, own] = [await clock.now(), await clock.now(tppId)];
    return Math.floor((own.getTime() - bank.getTime()) / 1_000);
  }

  test("is ahead of the sandbox's, wherever that is moved to, and another TPP's is not", async () => {
    expect(await clock.setAhead(one, 60)).toBe(true);
    expect(await clock.setAhead(one, YEAR_SECONDS)).toBe(true);
    await clock.moveTo(new Date("2399-05-20T10:00:00.250Z"));
    expect([await clock.aheadOf(one), await clock.aheadOf(other)]).toEqual([YEAR_SECONDS, 0]);
    expect(await ahead(one)).toBeGreaterThanOrEqual(YEAR_SECONDS);
    expect(await ahead(other)).toBeLessThan(YEAR_SECONDS);
    const [own, ...more] = await clock.tppClocks();
    expect([own?.tppId, more]).toEqual([one, []]);
    expect(own?.now.getFullYear()).toBe(2400);
    await clock.setAhead(one, 0);
    expect([await clock.aheadOf(one), await clock.tppClocks()]).toEqual([0, []]);
    await clock.reset();
  });

  test("is one of 500: a TPP more gets none, and those that have one can move it", async () => {
    await database.sql`insert into sandbox_tpp_clock
      select 'PSDRO-NBR-9' || n, 1 from generate_series(1, 499) n`;
    const given = await Promise.all([one, other].map((tppId) => clock.setAhead(tppId, 5)));
    expect(given.toSorted()).toEqual([false, true]);
    const has = given[0] ? one : other;
    expect(await clock.setAhead(has, 6)).toBe(true);
    await database.sql`insert into sandbox_tpp_clock values ('PSDRO-NBR-3', 1)`;
    expect(await clock.setAhead(has, 7)).toBe(false);
    expect(await clock.aheadOf(has)).toBe(6);
    await database.sql`delete from sandbox_tpp_clock`;
  });
});

describe("the sandbox's text messages", () => {
  const message = (psuId: typeof ana, minute: number, code: string) => ({
    psuId,
    sentAt: minutesOn(minute),
    text: `Drawbridge Bank: your code is ${code}`,
    code,
  });

  test("a phone shows its PSU's messages, newest first, up to the limit", async () => {
    const messages = messageStore(database.db);
    const [first, sameMinute] = [message(ana, 1, "111111"), message(ana, 1, "000000")];
    const afterClockWasSetBack = message(ana, -60, "222222");
    for (const each of [first, sameMinute, message(mihai, 3, "333333"), afterClockWasSetBack]) {
      await messages.keep(each);
    }
    expect(await messages.of(ana, 10)).toEqual([afterClockWasSetBack, sameMinute, first]);
    expect(await messages.of(ana, 1)).toEqual([afterClockWasSetBack]);
  });
});
