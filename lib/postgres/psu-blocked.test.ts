import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import type { PsuId, RequestId, TppId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Ports } from "@/lib/domain/ports";
import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import { identifyPsu } from "@/lib/domain/sca/identify-psu";
import { userKey } from "@/lib/domain/sca/psu-attempts";
import { selectAccounts } from "@/lib/domain/sca/select-accounts";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { current } from "@/lib/domain/testing/samples";
import { speltOut } from "@/lib/domain/testing/spelt-out";
import { exampleTpp, minutesOn, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

const tpps = Array.from({ length: 10 }, (_, nth) => ({
  ...exampleTpp,
  id: `PSDRO-NBR-${nth}` as TppId,
}));

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  for (const tpp of tpps) await stores.tpps.remember(tpp, now);
});
afterAll(() => database.close());

/** A PSU of its own, at the use cases over the real stores; what is behind them is in memory. */
function somebody() {
  const { bank, ports: ofTheBank } = inMemoryBank();
  const { consents, authorisations, psuAttempts, tpps: tppRegister } = stores;
  const ports = { ...ofTheBank, consents, authorisations, psuAttempts, tppRegister };
  const verifyPassword = vi.spyOn(ports.psuDirectory, "verifyPassword");
  const equal = vi.spyOn(ports.oneTimeCodes, "equal");
  const userId = `psu-${crypto.randomUUID()}`;
  const right = `${userId}-sandbox`;
  bank.accountsOf.set(userId as PsuId, [current]);

  /** An authorisation of the nth TPP's consent, received at this minute, at which all else is done. */
  async function authorisation(nth = 0, minute = 0) {
    const at = minutesOn(minute);
    const { authorisationId } = await received(ports, nth, at);
    const find = async () => {
      const found = await authorisations.find(authorisationId);
      if (found === undefined) throw new Error("no authorisation");
      return found;
    };
    const signIn = async (password: string) => {
      const asked = { authorisation: await find(), userId, password, now: at };
      return (await identifyPsu(ports, asked)).outcome;
    };
    const confirm = async (code: string) => {
      const proof = { method: "code", code } as const;
      const asked = { authorisation: await find(), proof, now: at };
      return (await completeAuthorisation(ports, asked)).outcome;
    };
    /** Signs in and has the code sent, which comes back. */
    const sentCode = async () => {
      await signIn(right);
      await selectAccounts(ports, {
        authorisation: await find(),
        selected: [current.id],
        wording: speltOut,
        now: at,
      });
      return bank.texts.at(-1)?.code ?? "none";
    };
    return { find, signIn, confirm, sentCode };
  }
  const unlock = () => psuAttempts.forget(userKey(ports.oneTimeCodes, userId));
  return { authorisation, verifyPassword, equal, unlock, right };
}

async function received(ports: Ports, nth: number, at: Date): Promise<AccountConsent> {
  const rights = { balances: true, transactions: true, ownerName: false };
  const { consent } = await createAccountConsent(ports, {
    tpp: tpps[nth % tpps.length] ?? exampleTpp,
    requestId: crypto.randomUUID() as string as RequestId,
    bodyDigest: "digest",
    request: {
      requestedAccess: {},
      access: { model: "bankOffered", rights, named: [] },
      recurringIndicator: true,
      validUntil: "2027-05-01" as IsoDate,
      frequencyPerDay: 4,
    },
    wayBack: { redirectUri: "https://tpp.example/ok" },
    now: at,
  });
  return consent;
}

test("P5: of 100 parallel wrong codes over 10 authorisations of 10 TPPs exactly 5 are compared, then all are blocked", async () => {
  const { authorisation, equal, right } = somebody();
  const open = await Promise.all(
    tpps.map(async (_tpp, nth) => {
      const one = await authorisation(nth);
      return { ...one, code: await one.sentCode() };
    }),
  );
  const guesses = Array.from({ length: 10 }, () => open.map(({ confirm }) => confirm("000000")));
  const outcomes = (await Promise.all(guesses.flat())) as readonly string[];
  expect(equal).toHaveBeenCalledTimes(5);
  expect(outcomes.filter((outcome) => outcome === "wrong-code").length).toBeLessThan(5);

  for (const { confirm, code, find } of open) {
    expect(await confirm(code)).toBe("ended");
    expect(await find()).toMatchObject({ scaStatus: "failed" });
  }
  const next = await authorisation();
  expect(await next.signIn(right)).toBe("ended");
  expect((await next.find()).failedBecause).toBe("psu-blocked");
  expect(equal).toHaveBeenCalledTimes(5);
});

test("P5: of 100 parallel wrong passwords over 20 authorisations exactly 5 are verified, then all are blocked", async () => {
  const { authorisation, verifyPassword, right } = somebody();
  const open = await Promise.all(Array.from({ length: 20 }, (_, nth) => authorisation(nth)));
  const guesses = Array.from({ length: 5 }, () => open.map(({ signIn }) => signIn("wrong")));
  await Promise.all(guesses.flat());
  expect(verifyPassword).toHaveBeenCalledTimes(5);
  for (const { signIn } of open) expect(await signIn(right)).toBe("ended");
  expect(verifyPassword).toHaveBeenCalledTimes(5);
});

test("P5: parallel sign-ins with the right password give every attempt back", async () => {
  const { authorisation, right } = somebody();
  for (let round = 0; round < 5; round += 1) {
    const open = await Promise.all([1, 2, 3, 4, 5].map((nth) => authorisation(nth)));
    const outcomes = await Promise.all(open.map(({ signIn }) => signIn(right)));
    expect(new Set(outcomes)).toEqual(new Set(["authenticated"]));
  }
});

test("P5: a block by wrong passwords ends after 15 minutes, each time", async () => {
  const { authorisation, right } = somebody();
  const trying = async (minute: number, word: string) =>
    (await authorisation(0, minute)).signIn(word);
  for (const minute of [0, 15, 30, 45]) {
    for (const expected of [...Array.from({ length: 4 }, () => "wrong-credentials"), "ended"]) {
      expect(await trying(minute, "wrong")).toBe(expected);
    }
    expect(await trying(minute + 14.99, right)).toBe("ended");
  }
  expect(await trying(60, right)).toBe("authenticated");
});

test("P5: five wrong codes block, five more do so until the bank lifts it", async () => {
  const { authorisation, right, unlock } = somebody();
  for (const minute of [0, 15]) {
    const { sentCode, confirm } = await authorisation(0, minute);
    await sentCode();
    const outcomes: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) outcomes.push(await confirm("000000"));
    expect(outcomes).toEqual([...Array.from({ length: 4 }, () => "wrong-code"), "ended"]);
  }
  for (const minute of [15, 30, 60 * 1_440]) {
    expect(await (await authorisation(0, minute)).signIn(right)).toBe("ended");
  }
  expect(await unlock()).toBe(true);
  expect(await (await authorisation(0, 31)).signIn(right)).toBe("authenticated");
});

test("P5: a completed SCA after the first block makes the next block a first one", async () => {
  const { authorisation, right } = somebody();
  const trying = async (minute: number, word: string) =>
    (await authorisation(0, minute)).signIn(word);
  for (let tries = 0; tries < 5; tries += 1) await trying(0, "wrong");
  const { sentCode, confirm } = await authorisation(0, 15);
  expect(await confirm(await sentCode())).toBe("finalised");
  for (let tries = 0; tries < 5; tries += 1) await trying(16, "wrong");
  expect(await trying(30.99, right)).toBe("ended");
  expect(await trying(31, right)).toBe("authenticated");
});
