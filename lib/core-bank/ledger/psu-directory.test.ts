import { randomUUID } from "node:crypto";
import { verify } from "@node-rs/argon2";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { psu } from "@/drizzle/schema/ledger/psus";
import type { PsuDirectory } from "@/lib/domain/psu";
import type { PsuId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { enterPsus, findPsuByUserId, psuDirectory } from "./psu-directory";
import { addCustomer, addPsu } from "./testing";

vi.mock("@node-rs/argon2", { spy: true });

const COSTS = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
const id = randomUUID() as string as PsuId;
const ana = { id, userId: "ana.popescu", name: "Ana Popescu" };
const password = "correct horse ță";
let database: TestDatabase;
let directory: PsuDirectory;

beforeAll(async () => {
  database = await testDatabase();
  directory = psuDirectory(database.db);
  await enterPsus(database.db, [{ ...ana, password }]);
});
afterAll(() => database.close());
beforeEach(() => {
  vi.mocked(verify).mockClear();
});

describe("PSU directory", () => {
  it("user ID and password together name the PSU", async () => {
    expect(await directory.verifyPassword("ana.popescu", password)).toEqual(ana);
  });

  it.each(["  ana.popescu\t", "Ana.Popescu", "ANA.POPESCU "])(
    "the user ID %j is taken trimmed and in lower case",
    async (userId) => {
      expect(await directory.verifyPassword(userId, password)).toEqual(ana);
    },
  );

  it.each(["", "correct horse", `${password} `, ` ${password}`, password.toUpperCase()])(
    "the wrong password %j names nobody",
    async (wrong) => {
      expect(await directory.verifyPassword("ana.popescu", wrong)).toBeUndefined();
    },
  );

  it.each([
    "",
    "ana",
    "ana_popescu",
    "ana%popescu",
    "ana.popescu\0",
    "%",
    "ana.popescu'--",
    "ană.popescu",
  ])("the unknown user ID %j names nobody", async (userId) => {
    expect(await directory.verifyPassword(userId, password)).toBeUndefined();
  });

  it.each(["ana.popescu", "nobody", "no\0body"])(
    "P11: a refused sign-in of %j costs one verification with the costs of every hash",
    async (userId) => {
      await directory.verifyPassword(userId, "wrong");
      const calls = vi.mocked(verify).mock.calls;
      expect(calls).toHaveLength(1);
      expect(String(calls[0]?.[0])).toMatch(COSTS);
    },
  );

  it("P11: not even the decoy's password is that of a user ID that nobody has", async () => {
    vi.mocked(verify).mockResolvedValueOnce(true);
    expect(await directory.verifyPassword("nobody", "anything")).toBeUndefined();
  });

  it("passwords are kept as argon2id, each with another salt", async () => {
    const twins = ["one", "other"].map((userId) => {
      return { ...ana, id: randomUUID() as string as PsuId, userId, password };
    });
    await enterPsus(database.db, twins);
    const rows = await database.db.select({ hash: psu.passwordHash }).from(psu);
    for (const { hash } of rows) expect(hash).toMatch(COSTS);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3);
  });

  it("a hash that cannot be read is a fault and no match", async () => {
    await addPsu(database.db, "Mihai Ionescu", "mihai.ionescu");
    await expect(directory.verifyPassword("mihai.ionescu", password)).rejects.toThrow();
  });

  it("the sandbox finds a PSU by user ID", async () => {
    const find = findPsuByUserId(database.db);
    expect(await find(" Ana.Popescu")).toEqual(ana);
    expect(await find("nobody")).toBeUndefined();
    expect(await find("ana\0")).toBeUndefined();
  });

  it("finds a PSU by the bank's key only", async () => {
    expect(await directory.find(id)).toEqual(ana);
    expect(await directory.find(randomUUID() as string as PsuId)).toBeUndefined();
    expect(await directory.find("ana.popescu" as string as PsuId)).toBeUndefined();
  });

  it("one who is known keeps name and password", async () => {
    await enterPsus(database.db, [{ ...ana, name: "Another", password: "another" }]);
    expect(await directory.verifyPassword("ana.popescu", password)).toEqual(ana);
  });

  it("an organisation is a customer and no PSU", async () => {
    const organisation = await addCustomer(database.db, "Popescu Grafic SRL");
    expect(await directory.find(organisation)).toBeUndefined();
  });

  it.each([
    ["a password that is not hashed by argon2id", "mihai", "secret"],
    ["a user ID in capitals", "Mihai", "$argon2id$none"],
  ])("the table refuses %s", async (_what, userId, passwordHash) => {
    const row = { id: randomUUID() as string as PsuId, name: "Mihai", userId, passwordHash };
    await expect(database.db.insert(psu).values(row)).rejects.toThrow();
  });
});
