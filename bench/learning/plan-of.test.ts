import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Seen } from "../tap/statements";
import { planOf, type Recording } from "./plan-of";

type Told = Pick<Seen, "text"> & Partial<Seen>;

/** One after the other on one connection, where a statement does not say otherwise. */
function seen(statements: readonly Told[]): readonly Seen[] {
  return statements.map((told, index) => ({
    connection: 1,
    protocol: "unnamed",
    types: [],
    parameters: [],
    tag: "SELECT 1",
    startedAt: 2 * index,
    endedAt: 2 * index + 1,
    ...told,
  }));
}

function recording(statements: (id: string) => readonly Told[]): Recording {
  const [id, requestId] = [randomUUID(), randomUUID()];
  return {
    headers: { "x-request-id": requestId },
    at: Date.now(),
    seen: seen(statements(id)),
    answer: {
      status: 201,
      headers: [["x-request-id", requestId]],
      body: JSON.stringify({ consentId: id }),
    },
  };
}

const times = (count: number, statements: (id: string) => readonly Told[]) =>
  Array.from({ length: count }, () => recording(statements));
const insert = (id: string): readonly Told[] => [
  { text: "insert into consent values ($1, $2)", parameters: [id, null], tag: "INSERT 0 1" },
];

describe("the plan of a request", () => {
  it("has its statements with their parameters, and its answer with the same ids", () => {
    const plan = planOf(times(2, insert));
    expect(plan.slots).toEqual([{ kind: "uuid" }, { kind: "request-id" }]);
    expect(plan.waves).toEqual([
      [
        {
          kind: "statement",
          text: "insert into consent values ($1, $2)",
          protocol: "unnamed",
          types: [],
          parameters: [{ literals: ["", ""], slots: [0] }, null],
          tag: "INSERT 0 1",
        },
      ],
    ]);
    expect(plan.answer).toEqual({
      status: 201,
      headers: [["x-request-id", { literals: ["", ""], slots: [1] }]],
      body: { literals: ['{"consentId":"', '"}'], slots: [0] },
    });
  });

  it("has a transaction as one step, without the words around it", () => {
    const inside = (id: string) => [{ text: "begin read only" }, ...insert(id), { text: "commit" }];
    const [[step] = []] = planOf(times(2, inside)).waves;
    expect(step).toMatchObject({ kind: "transaction", options: "read only" });
    expect(step?.kind === "transaction" && step.waves.flat()).toHaveLength(1);
  });

  it("has in one wave what went out together on two connections", () => {
    const together = () => [
      { text: "select 1", startedAt: 0, endedAt: 3 },
      { text: "select 2", connection: 2, startedAt: 1, endedAt: 2 },
    ];
    expect(planOf(times(2, together)).waves.map((wave) => wave.length)).toEqual([2]);
  });

  it("has them so though most recordings saw the second after the first had ended", () => {
    const apart = () => [{ text: "select 1" }, { text: "select 2", connection: 2 }];
    const together = () => [
      { text: "select 1", startedAt: 0, endedAt: 3 },
      { text: "select 2", connection: 2, startedAt: 1, endedAt: 2 },
    ];
    const plan = planOf([...times(3, apart), ...times(2, together)]);
    expect(plan.waves.map((wave) => wave.length)).toEqual([2]);
  });

  it("is what most recordings have in common: a job of the server's own is left out", () => {
    const disturbed = (id: string) => [...insert(id), { text: "delete from old", connection: 9 }];
    const plan = planOf([...times(3, insert), ...times(1, disturbed)]);
    expect(plan.waves.flat()).toHaveLength(1);
  });

  it("is refused when no two recordings are alike", () => {
    const recordings = ["a", "b"].map((table) =>
      recording(() => [{ text: `select from ${table}` }]),
    );
    expect(() => planOf(recordings)).toThrow("only 1 are alike");
  });

  it("is refused for a transaction that was rolled back", () => {
    const undone = () => [{ text: "begin" }, { text: "rollback" }];
    expect(() => planOf(times(2, undone))).toThrow("not committed");
  });
});
