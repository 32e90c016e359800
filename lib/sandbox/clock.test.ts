import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration, serveClock } from "./clock";
import { sandbox, WEB_URL } from "./testing";

const UNMOVED = { now: "2026-11-20T10:00:00.000Z", moved: false };
const TARGET = { now: "2027-05-20T10:00:00Z" };

describe("the clock of the sandbox", () => {
  it("says what time it is, and that nobody has moved it", async () => {
    const { status, headers, body } = await sandbox().get();
    expect([status, body]).toEqual([200, UNMOVED]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("is moved to an instant, and says how far it is from the real one", async () => {
    const { put, get } = sandbox();
    const moved = { now: "2027-05-20T10:00:00.000Z", moved: true, offsetSeconds: 181 * 86_400 };
    expect(await put(TARGET)).toMatchObject({ status: 200, body: moved });
    expect((await get()).body).toEqual(moved);
  });

  it("an instant may name another time zone, and a part of a second", async () => {
    const { put } = sandbox();
    expect((await put({ now: "2027-05-20T12:00:00.125+02:00" })).body).toMatchObject({
      now: "2027-05-20T10:00:00.125Z",
      offsetSeconds: 181 * 86_400 + 0.125,
    });
  });

  it("is advanced from where it is", async () => {
    const { put } = sandbox();
    expect((await put({ advance: "PT10M1S" })).body).toMatchObject({ offsetSeconds: 601 });
    expect((await put({ advance: "P1D" })).body).toEqual({
      now: "2026-11-21T10:10:01.000Z",
      moved: true,
      offsetSeconds: 87_001,
    });
  });

  it("is set back", async () => {
    const { put, get, remove } = sandbox();
    await put(TARGET);
    expect(await remove()).toMatchObject({ status: 200, body: UNMOVED });
    expect((await get()).body).toEqual(UNMOVED);
  });
});

describe("an invalid move of the clock is refused with a reason", () => {
  it.each([
    ["no JSON", "now"],
    ["nothing", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"2027-05-20T10:00:00Z"'],
    ["an empty object", "{}"],
    ["both at once", '{"now":"2027-05-20T10:00:00Z","advance":"PT1S"}'],
    ["a member more", '{"advance":"PT1S","zone":"UTC"}'],
    ["a member of another spelling", '{"Now":"2027-05-20T10:00:00Z"}'],
  ])("%s: what can be sent", async (_what, body) => {
    const { send, get } = sandbox();
    expect(await send("PUT", { body })).toMatchObject({
      status: 400,
      body: { error: 'send { "now": "2027-05-20T10:00:00Z" } or { "advance": "PT10M1S" }' },
    });
    expect((await get()).body).toEqual(UNMOVED);
  });

  it.each([
    ["now", "tomorrow", "must be an instant"],
    ["now", "2027-05-20", "must be an instant"],
    ["now", "2027-05-20T10:00:00", "must be an instant"],
    ["now", "2027-02-30T10:00:00Z", "must be an instant"],
    ["now", 1_811_152_800, "must be an instant"],
    ["now", null, "must be an instant"],
    ["now", "1999-12-31T23:59:59Z", "must be in the years 2000 to 2999"],
    ["now", "3000-01-01T00:00:00Z", "must be in the years 2000 to 2999"],
    ["now", "3000-01-01T01:00:00+00:30", "must be in the years 2000 to 2999"],
    ["advance", "-PT1M", "must be an ISO 8601 duration"],
    ["advance", "P1M", "must be an ISO 8601 duration"],
    ["advance", 60, "must be an ISO 8601 duration"],
    ["advance", null, "must be an ISO 8601 duration"],
  ])("%s %j: %s", async (name, value, reason) => {
    const { put, get } = sandbox();
    const { status, body } = await put({ [name]: value });
    expect(status).toBe(400);
    expect(body.error).toMatch(new RegExp(`^${name} ${reason}`));
    expect((await get()).body).toEqual(UNMOVED);
  });

  it("an advance past the end of the clock: 400", async () => {
    const { put, get } = sandbox();
    const refused = { status: 400, body: { error: "the clock ends with the year 2999" } };
    expect(await put({ advance: "P400000D" })).toMatchObject(refused);
    expect((await get()).body).toEqual(UNMOVED);
  });

  it("a body that is too long: 400", async () => {
    const { send } = sandbox();
    const body = `${" ".repeat(1_024)}{"advance":"PT1S"}`;
    expect((await send("PUT", { body })).status).toBe(400);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"])(
    "%s: 415",
    async (type) => {
      const { put, get } = sandbox();
      expect((await put(TARGET, { "content-type": type })).status).toBe(415);
      expect((await get()).body).toEqual(UNMOVED);
    },
  );

  it("application/json may name its charset", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await sandbox().put(TARGET, headers)).status).toBe(200);
  });

  it.each(["POST", "PATCH", "OPTIONS"])("%s: 405 with what is offered", async (method) => {
    const { status, headers } = await sandbox().send(method);
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, DELETE"]);
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("a browser moves the clock from our own pages only", () => {
  const foreign = [
    { "sec-fetch-site": "cross-site", origin: "https://tpp.example" },
    { "sec-fetch-site": "same-site", origin: "http://localhost:8080" },
    { "sec-fetch-site": "none" },
    { origin: "https://tpp.example" },
    { origin: "null" },
    // The name of the attacker's page was pointed at this machine: only its origin tells.
    { "sec-fetch-site": "same-origin", origin: "http://rebound.example:3000" },
  ];

  it.each(foreign)("P2: not from %j", async (headers) => {
    const { put, remove, get } = sandbox();
    expect((await put(TARGET, headers)).status).toBe(403);
    expect((await get()).body).toEqual(UNMOVED);
    await put(TARGET);
    expect((await remove(headers)).status).toBe(403);
    expect((await get()).body).toMatchObject({ moved: true });
  });

  it.each([{ "sec-fetch-site": "same-origin", origin: WEB_URL }, { origin: WEB_URL }, {}])(
    "but from %j",
    async (headers) => {
      const { put, remove } = sandbox();
      expect((await put(TARGET, headers)).status).toBe(200);
      expect((await remove(headers)).status).toBe(200);
    },
  );
});

describe("X11: outside the sandbox", () => {
  it.each(["GET", "PUT", "DELETE", "POST", "PATCH", "OPTIONS"])(
    "%s finds nothing",
    async (method) => {
      const config = { WEB_URL };
      const request = new Request(`${WEB_URL}/sandbox/clock`, { method });
      const response = await serveClock({ config, sandboxClock: undefined }, request);
      expect(response.status).toBe(404);
      expect(response.headers.has("allow")).toBe(false);
    },
  );
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("an ISO 8601 duration", () => {
  it.each([
    ["PT10M1S", 10 * MINUTE + SECOND],
    ["P180D", 180 * DAY],
    ["P2W", 14 * DAY],
    ["PT36H", 36 * HOUR],
    ["P1DT2H3M4S", DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    ["P1DT4S", DAY + 4 * SECOND],
    ["PT90S", 90 * SECOND],
    ["PT0S", 0],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ["nothing", ""],
    ["no unit", "P"],
    ["no unit after T", "P1DT"],
    ["T alone", "PT"],
    ["backwards", "-PT1M"],
    ["a part backwards", "PT-1M"],
    ["a plus sign", "+PT1M"],
    ["months", "P1M"],
    ["years", "P1Y"],
    ["weeks and days", "P1W1D"],
    ["weeks after T", "PT1W"],
    ["hours without T", "P1H"],
    ["units in another order", "PT1S1M"],
    ["a fraction", "PT1.5S"],
    ["small letters", "pt1m"],
    ["blanks", " PT1M "],
    ["a second line", "PT1M\n"],
    ["a number beyond any clock", `PT${"9".repeat(30)}S`],
  ])("%s is not a duration", (_what, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("is the sum of its parts", () => {
    const part = (max: number) => fc.option(fc.nat({ max }), { nil: undefined });
    const parts = fc.tuple(part(999_999), part(999), part(9_999), part(99_999));
    fc.assert(
      fc.property(parts, ([days, hours, minutes, seconds]) => {
        const written = (value: number | undefined, unit: string) =>
          value === undefined ? "" : `${value}${unit}`;
        const time = `${written(hours, "H")}${written(minutes, "M")}${written(seconds, "S")}`;
        const text = `P${written(days, "D")}${time === "" ? "" : `T${time}`}`;
        const sum =
          (days ?? 0) * DAY +
          (hours ?? 0) * HOUR +
          (minutes ?? 0) * MINUTE +
          (seconds ?? 0) * SECOND;
        expect(parseDuration(text)).toBe(text === "P" ? undefined : sum);
      }),
    );
  });
});
