import { DrizzleQueryError } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { UnavailableError } from "@/lib/domain/unavailable";
import { log } from "@/lib/log";
import { logFault } from "./log-events";

afterEach(() => vi.restoreAllMocks());

function logged(fault: unknown) {
  const error = vi.spyOn(log, "error").mockReturnValue(undefined);
  logFault(fault, "POST token");
  return error.mock.calls[0]?.[0];
}
const failed = (cause: Error) =>
  new DrizzleQueryError("select 1 where iban = $1", ["RO06DRWB0001000000000101"], cause);

it("a fault of the authorisation server says in the log what is away, and nothing of what was asked", () => {
  const told = logged(failed(new UnavailableError("the database is away (NO_ANSWER)")));
  expect(told).toMatchObject({ away: "the database is away (NO_ANSWER)", where: "POST token" });
  expect(JSON.stringify(told)).not.toContain("RO06");
});

it("X7: of a fault that is no outage the log has where it was, and not its message", () => {
  const told = logged(failed(new Error("Key (iban)=(RO06DRWB0001000000000101)")));
  expect(told).toMatchObject({ fault: "Error", away: undefined, where: "POST token" });
  expect(JSON.stringify(told)).not.toContain("RO06");
});
