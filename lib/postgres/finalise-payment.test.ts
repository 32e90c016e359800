import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Debit } from "@/lib/domain/accounts";
import type { PaymentDecision } from "@/lib/domain/authorisation";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import type { Bic, PaymentOrder } from "@/lib/domain/payment-order";
import {
  challenged,
  challengedFunds,
  challengedPayment,
  eur,
  exampleTpp,
  expectUnauthorised,
  minutesOn,
  now,
  order,
  type Payer,
  payer,
  type Stores,
  storesOf,
  type TestDatabase,
  testDatabase,
  testStores,
} from "./testing";
import { stopList } from "./tpps";

const { database, stores } = await testStores();

describe("the PSU's confirmation of a payment", () => {
  const finalise = (decision: PaymentDecision) => stores.authorisations.finalisePayment(decision);
  const paymentOf = ({ paymentId }: PaymentDecision) =>
    stores.payments.findOfTpp(paymentId, exampleTpp.id);
  const changesOf = async ({ paymentId }: PaymentDecision) => {
    const rows =
      await database.sql`select status from payment_status_change where payment_id = ${paymentId}
    order by array_position(array['RCVD', 'ACTC', 'ACCP', 'RJCT'], status)`;
    return rows.map(({ status }) => status);
  };
  const authorisationOf = ({ authorisationId }: PaymentDecision) =>
    stores.authorisations.find(authorisationId);

  const submissionsOf = async ({ paymentId, submitAgainAt }: PaymentDecision) =>
    database.sql`
  select due_at = ${submitAgainAt.toISOString()} as due, attempts from payment_submission
  where payment_id = ${paymentId}`;

  test("the yes makes the authorisation final and the payment authorised, and it is in the outbox", async () => {
    const ana = await payer(database.db);
    const decision = await challengedPayment(stores, ana);
    expect(await authorisationOf(decision)).toMatchObject({ failedAttempts: 1 });
    expect(await finalise(decision)).toBe("finalised");
    const authorisation = await authorisationOf(decision);
    expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    expect(authorisation?.challenge).toBeUndefined();
    const { psuId, debit, at } = decision;
    expect(await paymentOf(decision)).toMatchObject({
      ...{ status: "ACTC", statusAt: at, psuId, authorisedAt: at, debit },
    });
    expect(await changesOf(decision)).toEqual(["RCVD", "ACTC"]);
    expect(await submissionsOf(decision)).toEqual([{ due: true, attempts: 0 }]);
  });

  test("a debit in another currency is kept in the account's", async () => {
    const ana = await payer(database.db, { currency: "RON" as never });
    const decision = await challengedPayment(stores, ana);
    const inRon = (minorUnits: bigint) => ({ currency: "RON" as never, minorUnits });
    const debit = { ...decision.debit, amount: inRon(6_363n), fee: inRon(0n) };
    const payment = { id: decision.paymentId, order: { ...order, debtor: { iban: ana.iban } } };
    const linked = await linkedPayment(payment, debit);
    expect(await finalise({ ...decision, debit, linked })).toBe("finalised");
    expect(await paymentOf(decision)).toMatchObject({ debit, order: { amount: eur(1_250n) } });
  });

  describe("P6, P8: a code is used once", () => {
    test("of 100 answers at once one is heard, and the payment is in the outbox once", async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const answers = await Promise.all(Array.from({ length: 100 }, () => finalise(decision)));
      const accepted = answers.filter((answer) => answer === "finalised");
      expect(accepted).toHaveLength(1);
      expect(answers.filter((answer) => answer === "too-late")).toHaveLength(99);
      expect(await submissionsOf(decision)).toHaveLength(1);
    });

    test("of yes and no at once one is heard", async () => {
      const ana: Payer = await payer(database.db);
      const round = async () => {
        const decision = await challengedPayment(stores, ana);
        const { authorisationId: id, on, at } = decision;
        const [yes, no] = await Promise.all([
          finalise(decision),
          stores.authorisations.fail({ id, because: "cancelled", on, at }),
        ]);
        expect(yes).toBe(no ? "too-late" : "finalised");
        expect((await paymentOf(decision))?.status).toBe(no ? "RJCT" : "ACTC");
        expect((await authorisationOf(decision))?.scaStatus).toBe(no ? "failed" : "finalised");
      };
      await Promise.all(Array.from({ length: 20 }, round));
    });

    test("once more after the window: too late, and nothing more is submitted", async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      await finalise(decision);
      expect(await finalise(decision)).toBe("too-late");
      expect(await finalise({ ...decision, at: minutesOn(20) })).toBe("too-late");
      expect(await submissionsOf(decision)).toHaveLength(1);
    });
  });
});

describe("a confirmation that is too late", () => {
  let ana: Payer;
  let decision: PaymentDecision;
  beforeEach(async () => {
    ana = await payer(database.db);
    decision = await challengedPayment(stores, ana);
  });

  const finalise = (given: Partial<PaymentDecision> = {}) =>
    stores.authorisations.finalisePayment({ ...decision, ...given } as PaymentDecision);
  const payments = (text: string) => database.sql.unsafe(text, [decision.paymentId]);

  describe("too late, and nothing changes", () => {
    const refused: readonly [string, Partial<PaymentDecision>][] = [
      ["P6: with the code of another challenge", { codeFingerprint: "another" }],
      ["P6: once the code is too old", { at: minutesOn(5) }],
      ["for another authorisation", { authorisationId: crypto.randomUUID() as never }],
      ["for another payment", { paymentId: crypto.randomUUID() as never }],
    ];
    test.each(refused)("%s", async (_, given) => {
      expect(await finalise(given)).toBe("too-late");
      await expectUnauthorised(database, decision);
    });

    test("P1: for another PSU, though the account is theirs too", async () => {
      const { psuId } = await payer(database.db);
      await database.sql`insert into account_owner values (${ana.accountId}, ${psuId}, 'owner')`;
      expect(await finalise({ psuId })).toBe("too-late");
      await expectUnauthorised(database, decision);
    });

    test("P9: for another account than the code was sent for, though it is their own", async () => {
      const { accountId } = await payer(database.db, { psuId: ana.psuId });
      const debit = { ...decision.debit, accountId };
      const linked = await linkedPayment(
        { id: decision.paymentId, order: { ...order, debtor: { iban: ana.iban } } },
        debit,
      );
      expect(await finalise({ debit, linked })).toBe("too-late");
      await expectUnauthorised(database, decision);
    });

    const changes = [
      ["in an authorisation of a consent", "update authorisation set kind = 'PIIS'"],
      ["in one of another payment", "update authorisation set resource_id = gen_random_uuid()"],
      ["before a code was sent", "update authorisation set sca_status = 'psuAuthenticated'"],
    ];
    test.each(changes)("%s", async (_, change) => {
      await payments(`${change} where resource_id = $1`);
      expect(await finalise()).toBe("too-late");
      await expectUnauthorised(database, decision);
    });

    test("once the window is over, though the code would still run", async () => {
      await payments(`update authorisation set code_expires_at = expires_at + interval '1 hour'
      where resource_id = $1`);
      expect(await finalise({ at: minutesOn(15) })).toBe("too-late");
      await expectUnauthorised(database, decision);
    });

    test("when the payment is rejected already", async () => {
      await payments(
        "update payment_state set status = 'RJCT', reason = 'cancelled' where payment_id = $1",
      );
      expect(await finalise()).toBe("too-late");
      expect((await stores.authorisations.find(decision.authorisationId))?.scaStatus).toBe(
        "started",
      );
    });

    test("for a payment that names another authorisation as its own", async () => {
      const other = await challengedPayment(stores, ana);
      await database.sql`update authorisation set resource_id = gen_random_uuid()
      where id = ${other.authorisationId}`;
      await database.sql`update authorisation set resource_id = ${other.paymentId}
      where id = ${decision.authorisationId}`;
      const { paymentId, linked } = other;
      expect(await finalise({ paymentId, linked })).toBe("too-late");
      await expectUnauthorised(database, decision);
    });
  });
});

describe("the payment that the PSU has seen", () => {
  let ana: Payer;
  let asked: PaymentOrder;
  let decision: PaymentDecision;

  const address = { streetName: "Str", country: "DE" };
  beforeEach(async () => {
    ana = await payer(database.db);
    const creditor = { ...order.creditor, address };
    asked = { ...order, creditor, debtor: { iban: ana.iban }, endToEndId: "e2e", remittance: "r" };
    decision = await challengedPayment(stores, ana, asked);
  });

  const finalise = (given: Partial<PaymentDecision> = {}) =>
    stores.authorisations.finalisePayment({ ...decision, ...given } as PaymentDecision);

  describe("P7: nothing is paid but what the PSU has seen", () => {
    const { creditor } = order;
    const others: readonly [string, (asked: PaymentOrder) => Partial<PaymentOrder>][] = [
      ["product", () => ({ product: "target-2-payments" })],
      ["amount", () => ({ amount: eur(1_251n) })],
      ["currency", () => ({ amount: { ...order.amount, currency: "RON" as never } })],
      ["creditor's name", () => ({ creditor: { ...creditor, address, name: "Shop 2" } })],
      ["creditor's account", ({ debtor }) => ({ creditor: { ...creditor, address, ...debtor } })],
      [
        "creditor's currency",
        () => ({ creditor: { ...creditor, address, currency: "EUR" as never } }),
      ],
      ["creditor's bank", () => ({ creditor: { ...creditor, address, agent: "COBADEFF" as Bic } })],
      ["creditor's address", () => ({ creditor: { ...creditor, address: { country: "DE" } } })],
      ["debtor's account", () => ({ debtor: order.debtor })],
      ["debtor's currency", ({ debtor }) => ({ debtor: { ...debtor, currency: "EUR" as never } })],
      ["charge bearer", () => ({ chargeBearer: "DEBT" })],
      ["reference", () => ({ endToEndId: "e2e 2" })],
      ["text", ({ remittance }) => ({ remittance: `${remittance} 2` })],
    ];
    test.each(others)("a code for another %s does not fit", async (_, other) => {
      const shown = { id: decision.paymentId, order: { ...asked, ...other(asked) } };
      const linked = await linkedPayment(shown, decision.debit);
      expect(await finalise({ linked })).toBe("gone");
      await expectUnauthorised(database, decision);
    });

    const debits: readonly [string, (debit: Debit) => Partial<Debit>][] = [
      ["amount", () => ({ amount: eur(1_251n) })],
      ["fee", () => ({ fee: eur(601n) })],
      ["currency", ({ amount }) => ({ amount: { ...amount, currency: "RON" as never } })],
    ];
    test.each(debits)("a debit of another %s does not fit", async (_, other) => {
      const debit = { ...decision.debit, ...other(decision.debit) };
      expect(await finalise({ debit })).toBe("gone");
      await expectUnauthorised(database, decision);
    });

    test("a code for another payment of the same content does not fit", async () => {
      const { linked } = await challengedPayment(stores, ana, asked);
      expect(await finalise({ linked })).toBe("gone");
      await expectUnauthorised(database, decision);
    });
  });
});

describe("a confirmation for a blocked TPP", () => {
  let database: TestDatabase;
  let stores: Stores;
  let list: ReturnType<typeof stopList>;
  beforeAll(async () => {
    database = await testDatabase();
    stores = storesOf(database.db);
    list = stopList(database.db);
    await stores.tpps.remember(exampleTpp, now);
  });
  afterEach(() => list.unblock(exampleTpp.id, now));
  afterAll(() => database.close());

  /** The PSU has entered the right code, and the answer is about to be kept. */
  const kinds = {
    "an account consent": async () => {
      const decision = await challenged(stores);
      const finalise = () => stores.authorisations.finaliseAccountConsent(decision);
      return { id: decision.authorisationId, finalise, yes: true, no: false };
    },
    "a funds consent": async () => {
      const decision = await challengedFunds(storesOf(database.db));
      const finalise = () => stores.authorisations.finaliseFundsConsent(decision);
      return { id: decision.authorisationId, finalise, yes: true, no: false };
    },
    "a payment": async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const finalise = () => stores.authorisations.finalisePayment(decision);
      return { id: decision.authorisationId, finalise, yes: "finalised", no: "too-late" };
    },
  } as const;

  test.each(Object.entries(kinds))(
    "C6: the yes to %s of a blocked TPP is not kept",
    async (_kind, at) => {
      const { id, finalise, yes, no } = await at();
      await list.block({ tppId: exampleTpp.id, blockedAt: now, until: minutesOn(10) });
      expect(await finalise()).toBe(no);
      expect(await stores.authorisations.find(id)).toMatchObject({ scaStatus: "started" });
      await list.unblock(exampleTpp.id, now);
      expect(await finalise()).toBe(yes);
    },
  );

  test.each(Object.entries(kinds))(
    "C6: a block of another TPP, or one that is over, leaves the yes to %s alone",
    async (_kind, at) => {
      const { finalise, yes } = await at();
      await list.block({ tppId: exampleTpp.id, blockedAt: minutesOn(-5), until: now });
      await list.block({ tppId: `${exampleTpp.id}0` as typeof exampleTpp.id, blockedAt: now });
      expect(await finalise()).toBe(yes);
    },
  );
});
