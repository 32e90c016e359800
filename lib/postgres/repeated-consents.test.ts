import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import { createFundsConsent } from "@/lib/domain/funds-confirmation/create-funds-consent";
import type { Iban } from "@/lib/domain/iban";
import type { RequestId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Ports } from "@/lib/domain/ports";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { everything } from "@/lib/domain/testing/samples";
import { authorisationStore } from "./authorisation-store";
import { consentStore } from "./consent-store";
import { fundsConsentStore } from "./funds-consent-store";
import { exampleTpp, now, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let ports: Ports;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const tppRegister = storesOf(db).tpps;
  await tppRegister.remember(exampleTpp, now);
  ports = {
    ...inMemoryBank().ports,
    tppRegister,
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    authorisations: authorisationStore(db),
  };
});
afterAll(() => database.close());

const newRequest = () => ({
  tpp: exampleTpp,
  knownTpp: exampleTpp,
  requestId: crypto.randomUUID() as string as RequestId,
  bodyDigest: "one",
  wayBack: { redirectUri: "https://tpp.example/cb" },
  now,
});
type Asked = ReturnType<typeof newRequest>;

const kinds: readonly (readonly [string, (asked: Asked) => Promise<string>])[] = [
  [
    "account_consent",
    async (asked) => {
      const request = {
        requestedAccess: {},
        access: everything,
        recurringIndicator: true,
        validUntil: "2027-02-01" as IsoDate,
        frequencyPerDay: 4,
      };
      return (await createAccountConsent(ports, { ...asked, request })).consent.id;
    },
  ],
  [
    "funds_consent",
    async (asked) => {
      const request = { account: { iban: "RO49DRWB1B31007593840000" as Iban } };
      return (await createFundsConsent(ports, { ...asked, request })).id;
    },
  ],
];

test.each(kinds)(
  "S9: of 200 equal requests at once one makes a row of %s, and 200 get its id",
  async (table, ask) => {
    const asked = newRequest();
    const ids = await Promise.all(Array.from({ length: 200 }, () => ask(asked)));
    expect(new Set(ids).size).toBe(1);
    const rows = await database.sql`select from ${database.sql(table)} c join authorisation a
      on a.id = c.authorisation_id where a.request_id = ${asked.requestId}`;
    expect(rows).toHaveLength(1);
  },
);

test.each(kinds)(
  "S9: of two bodies under one X-Request-ID at once one makes a row of %s, the other is refused",
  async (_table, ask) => {
    const asked = newRequest();
    const calls = Array.from({ length: 40 }, (_, nth) =>
      ask({ ...asked, bodyDigest: nth % 2 === 0 ? "one" : "other" }),
    );
    const outcomes = await Promise.allSettled(calls);
    const made = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(made).toHaveLength(20);
    expect(new Set(made).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") continue;
      expect(outcome.reason).toMatchObject({ status: 400, faults: [{ path: "X-Request-ID" }] });
    }
  },
);
