import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPsu } from "@/lib/core-bank/ledger/testing";
import { listEvents } from "@/lib/postgres/events";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { camt053Limits } from "./camt053/xml";
import { type Ended, runBank } from "./testing";

const samples = path.join(import.meta.dirname, "camt053/samples");
const october = path.join(samples, "2026-10-ron.camt.053.001.02.xml");
const november = path.join(samples, "2026-11-ron.camt.053.001.08.xml");

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "drawbridge-bank-"));
  await addPsu(database.db, "Ana Popescu", "ana");
  await addPsu(database.db, "Elena Popescu", "elena");
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** What `.env` may say does not count. */
function bank(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runBank(args, { DATABASE_URL: database.url, DATA_DIR: path.join(folder, "data"), ...env });
}

describe("npm run bank -- import", () => {
  it("enters a statement, then what is new of the next one, and says what it did", async () => {
    expect(await bank(["import", october])).toEqual({
      code: 0,
      stdout:
        "statement 4711-RON-2026-10 of RO04XMPL0000000000004711 RON, account opened for ana; entries added: 9; closing balance: 7194.35\n",
      stderr: "",
    });
    expect((await bank(["import", november, "--psu", "ana"])).stdout).toBe(
      "statement 4711-RON-2026-10-19 of RO04XMPL0000000000004711 RON; entries added: 2; pending before, booked now: 1; known before: 2; left out, since they move no money: 1; closing balance: 7389.36\n",
    );
    expect((await bank(["import", october])).stdout).toBe(
      "statement 4711-RON-2026-10 of RO04XMPL0000000000004711 RON was imported before: nothing has changed\n",
    );
    const commands = await listEvents(database.db, { kind: "operator-command" }, { limit: 9 });
    expect(commands.map(({ line }) => line)).toEqual(
      Array(3).fill(expect.stringContaining('"detail":{"command": "import"}')),
    );
  });

  it.each<[string, readonly string[], number, string]>([
    ["a file that is not there", ["import", "none.xml"], 1, "there is no file none.xml"],
    ["a folder", ["import", samples], 1, `${samples} is no file`],
    ["a PSU that is not there", ["import", october, "--psu", "nobody"], 1, "--psu nobody: there"],
    ["somebody else's account", ["import", october, "--psu", "elena"], 1, "nothing was imported"],
    ["no file", ["import"], 2, "import needs one FILE"],
    ["two files", ["import", october, november], 2, "import needs one FILE"],
    ["an unknown option", ["import", october, "--to", "ana"], 2, "'--to'"],
    ["an unknown command", ["export"], 2, "there is no command export"],
    ["a name of JavaScript's own", ["constructor"], 2, "there is no command constructor"],
  ])("says what is wrong with %s", async (_what, args, code, reason) => {
    const ended = await bank(args);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toContain("    at ");
  });

  it("names the place of what is wrong in a file, and reads none that is too large", async () => {
    const broken = path.join(folder, "broken.xml");
    await writeFile(broken, '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"/>');
    expect(await bank(["import", broken])).toEqual({
      code: 1,
      stdout: "",
      stderr: "nothing was imported: line 1, /Document: BkToCstmrStmt is missing\n",
    });
    await writeFile(broken, Buffer.alloc(camt053Limits.fileBytesMax + 1, " "));
    expect((await bank(["import", broken])).stderr).toContain("bytes, at most");
  });

  it("without a database of its own that runs, says to start the server", async () => {
    const ended = await bank(["import", october], { DATABASE_URL: "" });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(
      /^no database runs on .*: start the server first \(npm start\)\n$/,
    );
  });

  it("with a database that is not there or not up to date, says so in a sentence", async () => {
    const nowhere = await bank(["import", october], { DATABASE_URL: "postgres://x@127.0.0.1:1/x" });
    expect(nowhere.stderr).toMatch(/^the database cannot be reached: .*ECONNREFUSED.*\n$/);
    const old = await testDatabase();
    try {
      await old.sql`drop table imported_statement`;
      await addPsu(old.db, "Ana Popescu", "ana");
      const ended = await bank(["import", october], { DATABASE_URL: old.url });
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("not up to date") });
    } finally {
      await old.close();
    }
  });

  it("tells its commands and options on request", async () => {
    expect(await bank(["--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("import"),
    });
    expect(await bank(["import", "--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--psu USER"),
    });
    expect(await bank([])).toMatchObject({ code: 2 });
  });
});
