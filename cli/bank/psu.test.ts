import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { psuDirectory } from "@/lib/core-bank/ledger/psu-directory";
import { addPsu } from "@/lib/core-bank/ledger/testing";
import { oneTimeCodes } from "@/lib/core-bank/text-messages";
import { attemptLimits, userKeys } from "@/lib/domain/psu-attempts";
import { listEvents } from "@/lib/postgres/events";
import { psuAttempts } from "@/lib/postgres/psu-attempts";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { sandboxSecrets } from "@/lib/server/data-folder";
import { aspspProfile } from "@/lib/testing-profile";
import { operator } from "./operator";
import { type Ended, runBank } from "./testing";

const CODE_SECRET = "a secret of at least thirty-two characters";
const now = new Date("2026-11-20T10:00:00Z");

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "drawbridge-bank-"));
  await addPsu(database.db, "Ana Popescu", "ana");
  await addPsu(database.db, "Mihai Ionescu", "mihai");
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => database.sql`truncate psu_attempts`);

function bank(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runBank(args, { DATABASE_URL: database.url, DATA_DIR: folder, CODE_SECRET, ...env });
}

/** As the server counts, so that the two must agree on what a user ID is kept under. */
function serverWith(secret: string) {
  const codes = oneTimeCodes({ secret, deliver: async () => true });
  const limits = attemptLimits(aspspProfile, now);
  // Nobody judges an attempt meanwhile, so no verdict is waited for.
  const attempts = psuAttempts(database.db, 0);
  const take = (userId: string) => attempts.take(userKeys(codes, userId)[0], "code", limits, now);
  const block = async (userId: string) => {
    while ((await take(userId)) !== undefined);
  };
  return { take, block };
}

describe("npm run bank -- psu unlock", () => {
  it("P5: lifts the block of a customer of the bank's provider, by the customer's id", async () => {
    const { take, block } = serverWith(CODE_SECRET);
    await block("C-17");
    const asked = ["psu", "unlock", "C-17", "--reason", "has called"];
    const oidc = {
      PSU_LOGIN: "oidc",
      IDP_ISSUER: "https://login.bank.example",
      IDP_CLIENT_ID: "bank",
      IDP_CLIENT_SECRET: "a secret of the provider",
    };
    expect(await bank(asked, oidc)).toMatchObject({ code: 0, stderr: "" });
    expect(await take("C-17")).toBeDefined();
    const [event] = (
      await listEvents(database.db, { kind: "customer-unlocked" }, { limit: 9 })
    ).slice(-1);
    expect(JSON.parse(event?.line ?? "{}").detail.reason).toBe("has called");
  });

  it("P5: lifts the block of this PSU and of nobody else", async () => {
    const { take, block } = serverWith(CODE_SECRET);
    await block("ana");
    await block("mihai");
    expect(await bank(["psu", "unlock", "Ana"])).toEqual({
      code: 0,
      stdout: "ana may sign in; failed attempts before now are forgotten\n",
      stderr: "",
    });
    expect(await take("ana")).toEqual({ attemptsLeft: 4 });
    expect(await take("mihai")).toBeUndefined();
    const ana = await psuDirectory(database.db).findByUserId("ana");
    const unlocked = await listEvents(
      database.db,
      { kind: "customer-unlocked", psuId: ana?.id },
      { limit: 9 },
    );
    expect(unlocked).toEqual([
      expect.objectContaining({ line: expect.stringContaining(`"actor":"${operator()}"`) }),
    ]);
  });

  it("P5: lifts a block for good too", async () => {
    const { take, block } = serverWith(CODE_SECRET);
    await block("ana");
    await database.sql`update psu_attempts set second_failures = 10, last_at = '2020-01-01'`;
    expect(await take("ana")).toBeUndefined();
    await bank(["psu", "unlock", "ana"]);
    expect(await take("ana")).toEqual({ attemptsLeft: 4 });
  });

  it("knows the secret that the server's sandbox has made", async () => {
    const made = await sandboxSecrets(folder, {});
    const { take, block } = serverWith(String(made["CODE_SECRET"]));
    await block("ana");
    expect((await bank(["psu", "unlock", "ana"], { CODE_SECRET: "" })).code).toBe(0);
    expect(await take("ana")).toEqual({ attemptsLeft: 4 });
  });

  it("says so when there is nothing to lift", async () => {
    expect(await bank(["psu", "unlock", "mihai"])).toEqual({
      code: 0,
      stdout: "mihai has no failed attempts: nothing has changed\n",
      stderr: "",
    });
    const { id: psuId } = (await psuDirectory(database.db).findByUserId("mihai")) ?? {};
    const kind = "customer-unlocked";
    expect(await listEvents(database.db, { kind, psuId }, { limit: 9 })).toEqual([]);
  });

  const elsewhere = { CODE_SECRET: "", DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere") };
  it.each<[string, readonly string[], Record<string, string>, number, string]>([
    ["a PSU that is not there", ["unlock", "nobody"], {}, 1, "there is no PSU nobody"],
    ["no user ID", ["unlock"], {}, 2, "psu needs: unlock USER-ID"],
    ["two user IDs", ["unlock", "ana", "mihai"], {}, 2, "psu needs: unlock USER-ID"],
    ["another verb", ["lock", "ana"], {}, 2, "psu needs: unlock USER-ID"],
    ["an unknown option", ["unlock", "ana", "--all"], {}, 2, "'--all'"],
    ["no secret", ["unlock", "ana"], elsewhere, 1, "CODE_SECRET is not set"],
  ])("says what is wrong with %s", async (_what, args, env, code, reason) => {
    const ended = await bank(["psu", ...args], env);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toContain("    at ");
  });
});

describe("npm run bank -- psu add", () => {
  it("lets a customer of the core bank sign in to a sandbox, once", async () => {
    const add = (...args: readonly string[]) => bank(["psu", "add", ...args]);
    const added = await add("maria", "--customer", "C-1");
    expect(added.stdout).toBe(
      "maria signs in with the password maria-sandbox, as the customer C-1\n",
    );
    const directory = psuDirectory(database.db);
    expect(await directory.verifyPassword("maria", "maria-sandbox")).toEqual({
      id: "C-1",
      userId: "maria",
      name: "maria",
    });
    expect((await add("maria", "--customer", "C-2")).code).toBe(1);
    expect((await add("other", "--customer", "C-1")).code).toBe(1);
    expect((await add("maria")).code).toBe(2);
    expect((await add("Maria I", "--customer", "C-3")).code).toBe(2);
  });
});
