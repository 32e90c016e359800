import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { asUnavailable, fault } from "@/lib/postgres/guard";
import { testDatabase } from "@/lib/postgres/testing";
import { inWords } from "./in-words";
import { runBank } from "./testing";

const env = {
  DATABASE_URL: "postgres://x@127.0.0.1:1/x",
  DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere"),
};

describe("what a person can act on is one sentence, which names what is wrong", () => {
  const check = ["core-bank", "check", "http://127.0.0.1:1", "--customer", "C-1"];
  it.each<[string, readonly string[], string]>([
    ["a file that is not there", ["events", "verify", "--seals", "no/such"], "no/such cannot be"],
    ["a certificate that is not there", [...check, "--cert", "no.pem"], "no.pem cannot be read"],
    ["a folder", ["events", "verify", "--seals", "."], "EISDIR"],
    [
      "a database that does not run",
      ["events", "holds"],
      "the database cannot be reached: connect",
    ],
  ])("%s", async (_what, args, reason) => {
    const ended = await runBank(args, env);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(new RegExp(`^${reason}.*\n$`));
  });

  it("hosts of which none is the primary", async () => {
    const DATABASE_URL = "postgres://x@127.0.0.1:1,127.0.0.1:2/x";
    const { stderr } = await runBank(["events", "holds"], { ...env, DATABASE_URL });
    expect(stderr).toBe("the database cannot be reached: none of the named hosts is the primary\n");
  });

  it("the core bank, where it is the one that does not answer", async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const CORE_BANK_URL = "http://127.0.0.1:1";
    const asked = ["parity", "--customer", "C-1"];
    const ended = await runBank(asked, { ...env, DATABASE_URL: database.url, CORE_BANK_URL });
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: "the core bank did not answer listAccounts (outage)\n",
    });
  });

  const starting = Object.assign(new Error("the database system is starting up"), {
    code: "57P03",
  });
  it.each([
    ["starts", asUnavailable(starting), starting.message],
    ["starts, as the driver says it", starting, starting.message],
    ["hangs", asUnavailable(fault("NO_ANSWER")), "the database did not answer in time"],
  ])("a database that %s", (_what, cause, reason) => {
    expect(inWords(new Error("Failed query: select 1", { cause }))).toEqual({
      text: `the database cannot be reached: ${reason}`,
      exitCode: 1,
    });
  });
});
