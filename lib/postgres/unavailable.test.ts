import { expect, it } from "vitest";
import { isUnavailable } from "@/lib/domain/unavailable";
import { asUnavailable, codeOf } from "./unavailable";

const coded = (code: string) => Object.assign(new Error("told by whoever"), { code });

it.each([
  ["a connection exception", ["08000", "08003", "08006", "08P01"]],
  ["shut down, crashed, starting up", ["57P01", "57P02", "57P03"]],
  ["no disk, no memory, no connection, a limit", ["53000", "53100", "53200", "53300", "53400"]],
  ["a primary that is one no more", ["25006"]],
  ["the driver's words", ["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"]],
  ["an attempt that took too long", ["CONNECT_TIMEOUT"]],
  ["the network's words", ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"]],
  ["a name that is not found now", ["ENOTFOUND", "EAI_AGAIN"]],
  ["what this room gives up", ["NO_CONNECTION_FREE", "NO_ANSWER", "NO_PRIMARY"]],
])("the database is away: %s", (_what, codes) => {
  for (const code of codes) {
    const wrapped = new Error("Failed query", { cause: coded(code) });
    for (const error of [coded(code), wrapped]) {
      const known = asUnavailable(error);
      expect([code, isUnavailable(known)]).toEqual([code, true]);
      expect(codeOf(known)).toBe(code);
      expect(isUnavailable(new Error("around it", { cause: known }))).toBe(true);
    }
  }
});

it.each([
  ["a statement that is wrong", "42601"],
  ["a unique index that decided", "23505"],
  ["a lost race", "40001"],
  ["a statement that was cancelled", "57014"],
  ["a password that is wrong", "28P01"],
  ["a transaction that had failed", "25P02"],
  ["a file that is not there", "ENOENT"],
])("the database is there: %s", (_what, code) => {
  const error = coded(code);
  expect(asUnavailable(error)).toBe(error);
  expect(isUnavailable(error)).toBe(false);
});

it("what is known stays as it is, and what is no error is none", () => {
  const known = asUnavailable(coded("ECONNREFUSED"));
  expect(asUnavailable(known)).toBe(known);
  expect(asUnavailable("ECONNREFUSED")).toBe("ECONNREFUSED");
  expect(isUnavailable(undefined)).toBe(false);
});
