import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { CallOptions } from "./call";
import { NoAnswer } from "./http";
import type { Reply } from "./reply";
import { untilAnswered } from "./retries";

vi.mock("node:timers/promises", () => ({ setTimeout: vi.fn() }));

const created: Reply<string> = { status: 201, headers: {}, ok: true, body: "created" };
const refused: Reply<string> = { status: 400, headers: {}, ok: false, body: { tppMessages: [] } };
const fault: Reply<string> = { ...refused, status: 500 };
const telling = (status: number, seconds: string): Reply<string> => ({
  ...refused,
  status,
  headers: { "retry-after": seconds },
});
const broken = () => new NoAnswer("https://bank.example/x", new Error("reset"));

/** A bank that does each of these in turn, the last one for ever. */
function bank(...turns: readonly (Reply<string> | Error)[]) {
  const ids: (string | undefined)[] = [];
  const retried: string[] = [];
  const ask = async ({ headers }: CallOptions) => {
    ids.push(headers?.["x-request-id"]);
    const turn = turns[Math.min(ids.length, turns.length) - 1];
    if (turn === undefined || turn instanceof Error) throw turn;
    return turn;
  };
  const onRetry = (requestId: string) => void retried.push(requestId);
  return { ids, retried, asking: () => untilAnswered(ask, { waitMilliseconds: 1, onRetry }) };
}

describe("a request whose answer did not come", () => {
  it("is sent again with the same X-Request-ID, and the caller is told", async () => {
    const { ids, retried, asking } = bank(broken(), fault, created);
    expect(await asking()).toBe(created);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(retried).toEqual([ids[0], ids[0]]);
  });

  it("is given up after the fourth time", async () => {
    const { ids, asking } = bank(broken());
    await expect(asking()).rejects.toThrow(NoAnswer);
    expect(ids).toHaveLength(4);
  });

  it("is not asked again after any other error", async () => {
    const { ids, asking } = bank(new Error("a fault of our own"));
    await expect(asking()).rejects.toThrow("of our own");
    expect(ids).toHaveLength(1);
  });
});

it("a refusal is an answer", async () => {
  const { ids, retried, asking } = bank(refused);
  expect(await asking()).toBe(refused);
  expect(ids).toHaveLength(1);
  expect(retried).toEqual([]);
});

describe("Retry-After", () => {
  it.each([429, 503])("of %d is waited for before the request is sent again", async (status) => {
    vi.mocked(pause).mockClear();
    const { ids, asking } = bank(telling(status, "7"), telling(status, "0"), created);
    expect(await asking()).toBe(created);
    expect(new Set(ids).size).toBe(1);
    expect(vi.mocked(pause).mock.calls).toEqual([[7_000], [1]]);
  });

  it("of more than a minute is left to the caller", async () => {
    const tomorrow = telling(503, "61");
    const { ids, asking } = bank(tomorrow, created);
    expect(await asking()).toBe(tomorrow);
    expect(ids).toHaveLength(1);
  });

  it("that is no number of seconds is as good as none", async () => {
    const { asking } = bank(telling(503, "Tue, 01 Dec 2026 09:30:00 GMT"), created);
    expect(await asking()).toBe(created);
  });
});

it("a bank that only fails is told of in its own words", async () => {
  const { ids, asking } = bank(fault);
  expect(await asking()).toBe(fault);
  expect(ids).toHaveLength(4);
});
