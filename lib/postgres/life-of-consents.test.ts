import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ConsentStatus,
  consentIsFinal,
  consentMayBecome,
  readAccountConsent,
} from "@/lib/domain/consents";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { psuAttemptsOf } from "@/lib/domain/testing/in-memory-psu";
import { sweep } from "@/lib/server/jobs";
import { now, testStores } from "./testing";
import { contradictions } from "./testing-database";
import { consentCommands, type Model, type Real } from "./testing-life";

const { database, stores } = await testStores();

type Row = { readonly id: string; readonly status: ConsentStatus };

/** The statuses that were ever written for one run, and the check that follows each of its commands. */
function aRun(): { readonly model: Model; readonly real: Real } {
  const { bank, ports: ofTheBank } = inMemoryBank();
  const { consents, authorisations, psuAttempts, models, tpps: tppRegister } = stores;
  const ports = { ...ofTheBank, consents, authorisations, psuAttempts, tppRegister };
  const written = new Map<string, ConsentStatus>();
  const check = async ({ lives }: Model) => {
    const rows = await database.sql<Row[]>`select id, status from account_consent`;
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    for (const life of lives) {
      const status = statuses.get(life.id) ?? "received";
      const before = written.get(life.id) ?? "received";
      expect(status === before || consentMayBecome(before, status)).toBe(true);
      // Time alone writes nothing: until somebody reads it the row may still be as it was.
      if (consentIsFinal(status) || !life.endedByTime) expect(status).toBe(life.status);
      written.set(life.id, status);
    }
    expect(await contradictions(database)).toEqual([]);
  };
  const real = { ports, bank, models, check, run: crypto.randomUUID() };
  return {
    model: { now, lives: [], psuAttempts: psuAttemptsOf(new Map()) },
    real: { ...real, sweep: (at: Date) => sweep(database.db, at) },
  };
}

const reached = new Set<ConsentStatus>();

test("whatever TPP, PSU and time do: only the table's transitions, one valid recurring consent per TPP and PSU, and no token of a consent that has ended", async () => {
  await fc.assert(
    fc.asyncProperty(consentCommands, async (commands) => {
      await database.sql`truncate account_consent, authorisation, oidc_payload cascade`;
      const { model, real } = aRun();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      for (const life of model.lives) {
        const asked = { ...life, now: model.now };
        expect((await readAccountConsent(real.ports, asked)).status).toBe(life.status);
        reached.add(life.status);
      }
      await real.check(model);
    }),
    { numRuns: 20 },
  );
  // A property that never gets anywhere holds as well.
  expect([...reached].sort()).toEqual([
    "expired",
    "received",
    "rejected",
    "revokedByPsu",
    "terminatedByTpp",
    "valid",
  ]);
});
