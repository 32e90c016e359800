import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TppId } from "@/lib/domain/values";
import { sandboxClock } from "@/lib/postgres/sandbox";
import {
  exampleTpp,
  minutesOn,
  now,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "@/lib/postgres/testing";
import { stopList } from "@/lib/postgres/tpps";
import { run } from "./run";
import { runBank } from "./testing";

let database: TestDatabase;
let list: ReturnType<typeof stopList>;
beforeAll(async () => {
  database = await testDatabase();
  list = stopList(database.db);
  await storesOf(database.db).tpps.remember(exampleTpp, now);
  // The year is over by the machine's clock, or far from it: the bank's clock decides.
  await sandboxClock(database.db).moveTo(new Date("2900-01-01T00:00:00Z"));
});
afterAll(() => database.close());

const bank = (...args: readonly string[]) =>
  runBank(["tpp", ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere"),
  });
const done = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: "" });

const { id } = exampleTpp;
const then = new Date("2900-06-01T00:00:00Z");

describe("npm run bank -- tpp", () => {
  it("C6: blocks until a time by the bank's clock, lists it, and lets in again", async () => {
    expect(await bank("list")).toEqual(done("no TPP is blocked"));
    const told = await bank(
      "block",
      id,
      "--until",
      "2900-12-31T02:00:00+02:00",
      "--reason",
      "Fraud",
    );
    expect(told).toEqual(done(`Example TPP (${id}) is blocked until 2900-12-31T00:00:00.000Z`));
    const order = await list.find(id, then);
    expect(order).toMatchObject({ reason: "Fraud", until: new Date("2900-12-31T00:00:00Z") });
    expect(order?.blockedAt.toISOString()).toMatch(/^2900-01-01/);
    const listed = await bank("list");
    expect(listed.stdout).toMatch(
      /^PSDRO-NBR-1234567 since 2900-01-01T\S+Z until 2900-12-31T00:00:00\.000Z: Fraud\n$/,
    );
    const unblocked = await bank("unblock", id, "--reason", "Explained");
    expect(unblocked).toEqual(done(`${id} is not blocked any more`));
    expect(
      await database.sql`select detail->>'reason' as reason from event
        where kind = 'tpp-unblocked' and tpp_id = ${id}`,
    ).toEqual([{ reason: "Explained" }]);
    expect(await list.find(id, then)).toBeUndefined();
    expect(await bank("unblock", id)).toEqual(done(`${id} is not blocked: nothing has changed`));
  });

  it("C6: blocks a TPP that the bank has not met, until it is unblocked, once", async () => {
    const stranger = "PSDDE-BAFIN-4711" as TppId;
    const blocked = `${stranger}, which this bank has not met yet, is blocked until it is unblocked`;
    expect(await bank("block", stranger)).toEqual(done(blocked));
    const again = `${stranger} is blocked until it is unblocked already: nothing has changed`;
    expect(await bank("block", stranger, "--until", "2950-01-01T00:00:00Z")).toEqual(done(again));
    expect(await list.find(stranger, minutesOn(2_000_000_000))).toBeDefined();
  });

  const other = "PSDRO-NBR-2";
  it("C6: an end that is over blocks nobody, and is said", async () => {
    const { code, stderr } = await bank("block", other, "--until", "2899-12-31T00:00:00Z");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /would be blocked until 2899-12-31T00:00:00\.000Z, and it is 2900-01-01/,
    );
    expect(await list.find(other as TppId, new Date("2899-01-01T00:00:00Z"))).toBeUndefined();
  });

  const late = "2950-01-01T00:00:00Z";
  it.each<[string, readonly string[], string]>([
    ["an end without a zone", ["block", other, "--until", "2950-01-01T00:00:00"], "no instant"],
    ["an empty end", ["block", other, "--until", ""], "no instant"],
    ["a reason of two lines", ["block", other, "--reason", "a\nb"], "one line"],
    ["a reason that is empty", ["block", other, "--reason", ""], "one line"],
    ["an identifier of another form", ["block", "RO-NBR-2"], "not of the form PSDRO-NBR-1234567"],
    ["one in small letters", ["block", "psdro-nbr-2"], "not of the form"],
    ["one with a line break", ["block", "PSDRO-NBR-2\n"], "not of the form"],
    ["one too long", ["block", `PSDRO-NBR-${"2".repeat(247)}`], "not of the form"],
    ["no identifier", ["block"], "tpp needs:"],
    ["two identifiers", ["block", other, "PSDRO-NBR-3"], "tpp needs:"],
    ["nobody to let in", ["unblock"], "tpp needs:"],
    ["an end of letting in", ["unblock", other, "--until", late], "for tpp block"],
    ["a reason of a list", ["list", "--reason", "why"], "for tpp block"],
    ["a reason of letting in that is empty", ["unblock", other, "--reason", ""], "one line"],
    ["a list of one", ["list", other], "tpp needs:"],
    ["another verb", ["stop", other], "tpp needs:"],
    ["no verb", [], "tpp needs:"],
    ["an unknown option", ["block", other, "--forever"], "'--forever'"],
  ])("says what is wrong with %s, before it looks for a database", async (_what, args, reason) => {
    const { exitCode, output, errors } = await run(["tpp", ...args]);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(errors).toContain(reason);
    expect(errors).not.toContain("    at ");
  });

  it("tells its options on request", async () => {
    const { exitCode, output } = await run(["tpp", "--help"]);
    expect(exitCode).toBe(0);
    expect(output).toContain("--until INSTANT");
  });
});
