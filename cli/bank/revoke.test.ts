import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPsu } from "@/lib/core-bank/ledger/testing";
import { addDays, dayIn, type PsuId } from "@/lib/domain/values";
import { sandboxClock } from "@/lib/postgres/sandbox";
import {
  challenged,
  exampleTpp,
  now,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
  tokenAlive,
  validFunds,
} from "@/lib/postgres/testing";
import { runBank } from "./testing";

let database: TestDatabase;
let stores: Stores;
let funds: Stores;
let psuId: PsuId;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  funds = storesOf(database.db);
  psuId = await addPsu(database.db, "Ana Popescu", "ana");
  await addPsu(database.db, "Mihai Ionescu", "mihai");
  await stores.tpps.remember(exampleTpp, now);
  await sandboxClock(database.db).moveTo(now);
});
afterAll(() => database.close());

const bank = (...args: readonly string[]) =>
  runBank(["revoke", ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere"),
  });

async function validAccounts() {
  const decision = await challenged(stores, { psuId });
  await stores.authorisations.finaliseAccountConsent(decision);
  return decision;
}

describe("npm run bank -- revoke", () => {
  it("ends a valid account information consent, tokens and all", async () => {
    const [decision, neighbour] = [await validAccounts(), await validFunds(funds, { psuId })];
    const { consentId: id } = decision;
    expect(await bank(id.toUpperCase(), "--psu", "ana")).toEqual({
      code: 0,
      stdout: `consent ${id} of Example TPP (PSDRO-NBR-1234567) is revoked; its tokens are no longer accepted\n`,
      stderr: "",
    });
    expect((await stores.consents.find(id))?.status).toBe("revokedByPsu");
    expect(await tokenAlive(stores, decision)).toBe(false);
    expect(await tokenAlive(funds, neighbour)).toBe(true);
  });

  it("ends a valid funds consent, tokens and all, once", async () => {
    const decision = await validFunds(funds, { psuId });
    const { consentId: id } = decision;
    expect(await bank(id)).toMatchObject({ code: 0, stderr: "" });
    expect((await funds.fundsConsents.find(id))?.status).toBe("revokedByPsu");
    expect(await tokenAlive(funds, decision)).toBe(false);
    expect(await bank(id)).toEqual({
      code: 1,
      stdout: "",
      stderr: `the consent ${id} is revokedByPsu: only a valid one is revoked\n`,
    });
  });

  it("P1: leaves alone what somebody else has authorised", async () => {
    const { consentId: id } = await validFunds(funds, { psuId });
    for (const user of ["mihai", "nobody"]) {
      expect(await bank(id, "--psu", user)).toEqual({
        code: 1,
        stdout: "",
        stderr: `${user} has not authorised the consent ${id}: nothing has changed\n`,
      });
    }
    expect((await funds.fundsConsents.find(id))?.status).toBe("valid");
  });

  it("finds what time has ended as it ended, by the sandbox's clock", async () => {
    const cardExpiryDate = addDays(dayIn("Europe/Bucharest", now), -1);
    const { consentId: id } = await validFunds(funds, { psuId, cardExpiryDate });
    expect((await bank(id)).stderr).toContain("is expired");
    const { consentId: waiting } = await challenged(stores, { psuId });
    expect((await bank(waiting)).stderr).toContain("is received");
  });

  it.each<[string, readonly string[], number, string]>([
    ["a consent that is not there", [crypto.randomUUID()], 1, "there is no consent"],
    ["what is no id", ["x"], 1, "there is no consent x"],
    ["no id", [], 2, "revoke needs one CONSENT-ID"],
    ["two ids", ["x", "y"], 2, "revoke needs one CONSENT-ID"],
    ["an unknown option", ["x", "--tpp", "y"], 2, "'--tpp'"],
  ])("says what is wrong with %s", async (_what, args, code, reason) => {
    const ended = await bank(...args);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toContain("    at ");
  });

  it("tells its options on request", async () => {
    expect(await bank("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--psu USER"),
    });
  });
});
