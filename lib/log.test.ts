import { DrizzleQueryError } from "drizzle-orm";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { log, loggable } from "./log";

const IBAN = "RO49AAAA1B31007593840000";

function ofPostgres() {
  const fields = { severity: "ERROR", code: "53100", detail: IBAN, constraint_name: "payment_key" };
  return Object.assign(new Error(`value ${IBAN} is too long`), {
    name: "PostgresError",
    ...fields,
  });
}

describe("X7: an error in the log", () => {
  it("tells the statement, and none of its values nor what the database says of them", () => {
    const fault = new DrizzleQueryError("insert into payment values ($1)", [IBAN], ofPostgres());
    const told = loggable(fault);
    expect(JSON.stringify(told)).not.toContain(IBAN);
    expect(told).toMatchObject({
      query: "insert into payment values ($1)",
      cause: { type: "PostgresError", code: "53100", constraint: "payment_key" },
    });
  });

  it("keeps the message of a fault of ours, and where it was", () => {
    const told = loggable(new TypeError("no such thing"));
    expect(told).toMatchObject({ type: "TypeError", message: "no such thing" });
    expect(told).toHaveProperty("frames.0", expect.stringContaining("log.test.ts"));
  });

  it("says of what is no error its type alone", () => {
    expect(loggable(IBAN)).toEqual({ type: "string" });
  });

  it("ends, however its causes refer to each other", () => {
    const [one, other] = [new Error("one"), new Error("other")];
    one.cause = other;
    other.cause = one;
    expect(() => JSON.stringify(loggable(one))).not.toThrow();
  });

  it("is written in this way by the log itself", () => {
    const { err } = log[pino.symbols.serializersSym as never] as Record<string, unknown>;
    const fault = ofPostgres();
    expect((err as typeof loggable)(fault)).toEqual(loggable(fault));
  });
});
