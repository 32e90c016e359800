import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { planOf, type Recording, unitsOf } from "./statements";

const line = (pid: number, message: string, detail?: string) => ({
  pid,
  message,
  ...(detail !== undefined && { detail }),
});

it("a transaction is one unit, whatever other connections send in between", () => {
  const logged = [
    line(1, "statement: begin isolation level serializable"),
    line(2, "execute <unnamed>: select 1"),
    line(
      1,
      "execute abc12: insert into a values ($1,\n $2)",
      "Parameters: $1 = 'it''s', $2 = NULL",
    ),
    line(1, "statement: commit"),
    line(1, "checkpoint starting: time"),
    line(1, "execute abc13: select 2"),
  ];
  const [insert, one, two] = [
    { text: "insert into a values ($1,\n $2)", prepared: true, parameters: ["it's", null] },
    { text: "select 1", prepared: false, parameters: [] },
    { text: "select 2", prepared: true, parameters: [] },
  ];
  expect(unitsOf(logged)).toEqual([
    { begin: "isolation level serializable", statements: [insert] },
    { statements: [one] },
    { statements: [two] },
  ]);
});

it("a request whose transaction was rolled back is not one to imitate", () => {
  const logged = [line(1, "statement: begin"), line(1, "statement: rollback")];
  expect(() => unitsOf(logged)).toThrow("rolled back");
});

const at = Date.parse("2026-11-21T10:00:00.000Z");

function recording(second: number, status = "received"): Recording {
  const [id, requestId] = [randomUUID(), randomUUID()];
  const instant = `2026-11-21 10:${10 + second}:00.123+00`;
  const random = `${second}`.repeat(43);
  const parameters = [id, instant, random, "RON", null];
  return {
    requestId,
    at: at + second * 60_000,
    units: [{ statements: [{ text: "insert", prepared: true, parameters }] }],
    answer: {
      status: 201,
      headers: [["X-Request-ID", requestId]],
      body: `{"consentId":"${id}","consentStatus":"${status}"}`,
    },
  };
}

it("what differs between two recordings is made for each request, the same wherever the same stood", () => {
  const { fresh, units, ...answer } = JSON.parse(planOf(recording(1), recording(2)));
  expect(fresh).toEqual([
    { kind: "uuid" },
    { kind: "instant", offsetMs: 10 * 60_000 + 123 },
    { kind: "random", length: 43, encoding: "hex" },
    { kind: "request id" },
  ]);
  expect(units[0].statements[0].parameters).toEqual([
    "\u00000\u0000",
    "\u00001\u0000",
    "\u00002\u0000",
    "RON",
    null,
  ]);
  expect(answer).toEqual({
    status: 201,
    headers: [["X-Request-ID", "\u00003\u0000"]],
    body: '{"consentId":"\u00000\u0000","consentStatus":"received"}',
  });
});

it("what differs and is no id, instant or random text is not guessed", () => {
  expect(() => planOf(recording(1), recording(2, "valid"))).toThrow("received");
});
