import { expect, it } from "vitest";
import { oneTimeCodes } from "@/lib/core-bank/text-messages";
import { attemptLimits, userKeys } from "@/lib/domain/psu-attempts";
import type { PsuId } from "@/lib/domain/values";
import { eventLog } from "@/lib/postgres/events";
import { optOutStore } from "@/lib/postgres/opt-outs";
import { permissionRecords } from "@/lib/postgres/permissions";
import { psuAttempts } from "@/lib/postgres/psu-attempts";
import { now, testStores } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { customerView } from "./customers";
import type { StaffVisit } from "./visit";

const { database, stores } = await testStores();
const codes = oneTimeCodes({
  secret: "a secret of at least thirty-two characters",
  deliver: async () => true,
});
const attempts = psuAttempts(database.db, 0);

/** At a bank with PSU_LOGIN=oidc, whose directory has nothing of a customer but the id. */
function visitAt(at: Date): StaffVisit {
  const services = {
    ...stores,
    ...{ profile: aspspProfile, psuAttempts: attempts, oneTimeCodes: codes },
    config: { PSU_LOGIN: "oidc", SESSION_SECRET: "another secret of thirty-two characters" },
    coreBank: { accounts: async () => [] },
    psuDirectory: { find: async (id: PsuId) => ({ id, userId: id, name: id }) },
    permissionRecords: permissionRecords(database.db),
    optOuts: optOutStore(database.db),
    events: eventLog(database.db),
  };
  const operator = { id: "maria", name: "Maria", roles: ["support"] };
  const visit = { services, operator, sessionId: "s", cookieHeader: null, language: "en", now: at };
  return visit as unknown as StaffVisit;
}

it("P5: a block on the codes of a customer of the bank's provider is shown, and an id without records is not found", async () => {
  expect(await customerView(visitAt(now), "C-17")).toBeUndefined();
  const limits = attemptLimits(aspspProfile, now);
  while ((await attempts.take(userKeys(codes, "C-17")[0], "code", limits, now)) !== undefined);
  expect(await customerView(visitAt(now), "C-17")).toMatchObject({
    psuId: "C-17",
    block: expect.not.stringMatching("none"),
  });
  expect(await customerView(visitAt(now), "C-18")).toBeUndefined();
});
