import { describe, expect, it } from "vitest";
import { askedUntilAnswered } from "./asked-until-answered";
import type { CallOptions } from "./call";
import { NoAnswer } from "./http";
import type { Reply } from "./reply";

const created: Reply<string> = { status: 201, headers: {}, ok: true, body: "created" };
const refused: Reply<string> = { status: 400, headers: {}, ok: false, body: { tppMessages: [] } };
const fault: Reply<string> = { ...refused, status: 500 };
const broken = () => new NoAnswer("https://bank.example/x", new Error("reset"));

/** A bank that does each of these in turn, the last one for ever. */
function bank(...turns: readonly (Reply<string> | Error)[]) {
  const ids: (string | undefined)[] = [];
  const lines: string[] = [];
  const ask = async ({ headers }: CallOptions) => {
    ids.push(headers?.["x-request-id"]);
    const turn = turns[Math.min(ids.length, turns.length) - 1];
    if (turn === undefined || turn instanceof Error) throw turn;
    return turn;
  };
  const told = (line: string) => void lines.push(line);
  return { ids, lines, asking: () => askedUntilAnswered(ask, { waitMilliseconds: 1, told }) };
}

describe("a request whose answer did not come", () => {
  it("is sent again with the same X-Request-ID, and the person is told", async () => {
    const { ids, lines, asking } = bank(broken(), fault, created);
    expect(await asking()).toBe(created);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(String(ids[0]));
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
  const { ids, lines, asking } = bank(refused);
  expect(await asking()).toBe(refused);
  expect(ids).toHaveLength(1);
  expect(lines).toEqual([]);
});

it("a bank that only fails is told of in its own words", async () => {
  const { ids, asking } = bank(fault);
  expect(await asking()).toBe(fault);
  expect(ids).toHaveLength(4);
});
