import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Start } from "@/lib/domain/authorisation";
import type { TppId } from "@/lib/domain/values";
import { fundsConsentStore } from "./funds";
import {
  exampleTpp,
  initiation,
  minutesOn,
  newRequestId,
  now,
  receivedConsent,
  receivedFundsConsent,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
  today,
} from "./testing";

let database: TestDatabase;
let stores: Stores;
let tppId: TppId;
let count = 0;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
});
beforeEach(async () => {
  count += 1;
  tppId = `PSDRO-NBR-X17-${count}` as TppId;
  await stores.tpps.remember({ ...exampleTpp, id: tppId }, now);
});
afterAll(() => database.close());

const consent = (openMax: number, requestId = newRequestId()): Promise<Start> => {
  const begun = receivedConsent({ tppId }, { requestId });
  return stores.consents.insert(begun.consent, begun.authorisation, openMax);
};
const fundsConsent = (openMax: number): Promise<Start> => {
  const begun = receivedFundsConsent({ tppId }, { requestId: newRequestId() });
  return fundsConsentStore(database.db).insert(begun.consent, begun.authorisation, openMax);
};
const initiate = (openMax: number, requestId = newRequestId()) => {
  const begun = initiation({ tppId }, requestId);
  return stores.payments.initiate({ ...begun, started: { ...begun.started, openMax } });
};
const payment = async (openMax: number): Promise<Start> =>
  (await initiate(openMax)) === "full" ? "full" : "kept";

const open = async () =>
  (await database.sql`select from authorisation where tpp_id = ${tppId} and decided_at is null`)
    .length;

describe("X17: what a TPP has open", () => {
  test.each([
    ["consents", consent],
    ["funds consents", fundsConsent],
    ["payments", payment],
  ])(
    "X17: of 60 %s at once, with 20 slots, 20 start and 40 leave nothing",
    async (_what, start) => {
      const outcomes = await Promise.all(Array.from({ length: 60 }, () => start(20)));
      expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(20);
      expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(40);
      expect(await open()).toBe(20);
    },
  );

  test("X17: is counted over all of them together, and for each TPP by itself", async () => {
    expect([await consent(3), await fundsConsent(3), await payment(3)]).toEqual([
      "kept",
      "kept",
      "kept",
    ]);
    expect([await consent(3), await fundsConsent(3), await payment(3)]).toEqual([
      "full",
      "full",
      "full",
    ]);
    tppId = exampleTpp.id;
    await stores.tpps.remember(exampleTpp, now);
    expect(await consent(3)).toBe("kept");
  });

  test("X17: frees a slot as soon as one of them is decided", async () => {
    const { consent: own, authorisation } = receivedConsent({ tppId });
    await stores.consents.insert(own, authorisation, 1);
    expect(await consent(1)).toBe("full");
    const over = { id: authorisation.id, because: "window-over", on: today } as const;
    expect(await stores.authorisations.fail({ ...over, at: minutesOn(15) })).toBe(true);
    expect(await consent(1)).toBe("kept");
    expect(await consent(1)).toBe("full");
  });

  test("X17: does not keep a payment that is sent again from its first answer", async () => {
    const requestId = newRequestId();
    const first = await initiate(1, requestId);
    expect(first).toMatchObject({ first: true });
    expect(await initiate(1)).toBe("full");
    const { answer } = first as Exclude<typeof first, "full">;
    expect(await initiate(1, requestId)).toMatchObject({ first: false, answer });
  });

  test("S9: a consent that is sent again is one that was sent before, not one too many", async () => {
    const requestId = newRequestId();
    expect(await consent(1, requestId)).toBe("kept");
    expect(await consent(1, requestId)).toBe("used");
    expect(await consent(1)).toBe("full");
  });
});
