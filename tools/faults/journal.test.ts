import { describe, expect, it } from "vitest";
import type { Books } from "./books";
import { checks, compare, emptyJournal, isFlawless, type Journal, report } from "./journal";

const asked = [{ requestId: "r-1", currency: "EUR", amounts: [5n, 105n] }];
const body = JSON.stringify({ paymentId: "p-1" });
const answer = {
  ...{ requestId: "r-1", status: 201, body, location: "https://bank/p-1", paymentId: "p-1" },
};
const payment = {
  id: "p-1",
  requestId: "r-1",
  amount: 5n,
  currency: "EUR",
  status: "ACSC",
  staysHere: true,
  isDue: false,
} as const;
const debit = { requestId: "r-1", amount: -5n };
const credit = { requestId: "r-1", amount: 5n };
const consent = { id: "c-1", requestId: "c-r-1" };

/** One payment, acknowledged twice, authorised and executed, and one consent, asked for twice. */
const journal: Journal = {
  ...emptyJournal(),
  asked,
  answers: [answer, answer],
  statuses: [
    { paymentId: "p-1", status: "RCVD" },
    { paymentId: "p-1", status: "ACSP" },
    { paymentId: "p-1", status: "ACSP" },
    { paymentId: "p-1", status: "ACSC" },
  ],
  authorised: ["p-1"],
  consentsAsked: ["c-r-1", "c-r-1"],
  consents: [
    { requestId: "c-r-1", consentId: "c-1" },
    { requestId: "c-r-1", consentId: undefined },
  ],
  readsSent: ["c-2", "c-2", "c-2"],
  readsAnswered: ["c-2", "c-2"],
};
const books: Books = {
  payments: [payment],
  consents: [consent],
  reads: new Map([["c-2", 2]]),
  moves: [debit, credit],
  sums: [{ currency: "EUR", sum: 0n }],
};

type Tally = Journal["tally"];

function outcomeOf(changes: { journal?: Partial<Journal>; books?: Partial<Books> }) {
  return compare({ ...journal, ...changes.journal }, { ...books, ...changes.books });
}

function found(changes: Parameters<typeof outcomeOf>[0]): string[] {
  const { findings } = outcomeOf(changes);
  return Object.entries(findings).flatMap(([name, all]) => (all.length > 0 ? [name] : []));
}

describe("the comparison of what TPPs know with the books", () => {
  it("finds nothing where nothing is wrong", () => {
    expect(found({})).toEqual([]);
  });

  it("finds nothing wrong with a payment that never was authorised", () => {
    const statuses = [{ paymentId: "p-1", status: "RCVD" as const }];
    const waiting = { payments: [{ ...payment, status: "RCVD" } as const], moves: [] };
    expect(found({ journal: { authorised: [], statuses }, books: waiting })).toEqual([]);
  });

  it("finds nothing wrong with a payment whose answer never arrived", () => {
    const other = { ...payment, id: "p-2", requestId: "r-2", status: "RCVD" } as const;
    const request = { requestId: "r-2", currency: "EUR", amounts: [5n] };
    const payments = [payment, other];
    expect(found({ journal: { asked: [...asked, request] }, books: { payments } })).toEqual([]);
  });

  it("finds an acknowledged payment that is lost", () => {
    const faults = found({ journal: { authorised: [], statuses: [] }, books: nothing() });
    expect(faults).toEqual(["acknowledged payments lost"]);
  });

  it("finds a second payment for one request", () => {
    const second = { ...payment, id: "p-2", status: "RJCT" } as const;
    expect(found({ books: { payments: [payment, second] } })).toContain("payments started twice");
  });

  it.each([
    ["of an unknown request", { requestId: "r-2" }],
    ["of another amount", { amount: 6n }],
    ["of another currency", { currency: "RON" }],
  ])("finds a payment %s", (_name, change) => {
    const payments = [payment, { ...payment, id: "p-2", status: "RJCT", ...change } as const];
    expect(found({ books: { payments } })).toContain("payments nobody asked for");
  });

  it.each([
    ["left twice", [debit, debit, credit]],
    ["came twice", [debit, credit, credit]],
    ["did not leave", [credit]],
    ["did not come", [debit]],
    ["left with another amount", [{ ...debit, amount: -105n }, credit]],
    ["left for no payment", [debit, credit, { requestId: "without remittance", amount: -1n }]],
  ])("finds money that %s", (_name, moves) => {
    expect(found({ books: { moves } })).toEqual(["money not moved exactly once"]);
  });

  it("finds nothing wrong with a payment whose payee is elsewhere, or not yet credited", () => {
    const moves = [debit];
    expect(found({ books: { payments: [{ ...payment, staysHere: false }], moves } })).toEqual([]);
    const payments = [{ ...payment, status: "ACSP" } as const];
    expect(found({ books: { payments, moves } })).toEqual([]);
  });

  it("finds money that left for a payment nobody has authorised", () => {
    const payments = [{ ...payment, status: "RCVD" } as const];
    const unseen = { authorised: [], statuses: [] };
    expect(found({ journal: unseen, books: { payments } })).toEqual([
      "money not moved exactly once",
    ]);
  });

  it("finds nothing wrong with a read whose answer never arrived, logged or not", () => {
    for (const lines of [2, 3]) {
      expect(found({ books: { reads: new Map([["c-2", lines]]) } })).toEqual([]);
    }
  });

  it.each([
    ["is not logged", new Map([["c-2", 1]])],
    ["is logged twice", new Map([["c-2", 4]])],
    ["is logged for another consent", new Map([["c-3", 2]])],
  ])("finds a read that %s", (_name, reads) => {
    expect(found({ books: { reads } })).toEqual(["reads not logged once"]);
  });

  it.each([
    ["status", { status: 200 }],
    ["body", { body: `${body} ` }],
    ["Location", { location: "https://bank/p-2" }],
  ])("finds a repeat with another %s", (_name, change) => {
    const answers = [answer, answer, { ...answer, ...change }];
    expect(found({ journal: { answers } })).toEqual(["repeats with another answer"]);
  });

  it.each(["RCVD", "RJCT"] as const)("finds an authorised payment that is %s", (status) => {
    const gone = { payments: [{ ...payment, status }], moves: [] };
    const name = "authorised payments gone back";
    expect(found({ journal: { statuses: [] }, books: gone })).toEqual([name]);
    expect(found({ journal: { authorised: [] }, books: gone })).toEqual([name]);
  });

  it.each([
    ["ACSP", "ACCP"],
    ["ACSC", "RJCT"],
    ["RJCT", "RCVD"],
  ] as const)("finds a status that went from %s to %s", (from, to) => {
    const statuses = [from, to].map((status) => ({ paymentId: "p-1", status }));
    expect(found({ journal: { statuses: [...statuses] } })).toContain("statuses gone backwards");
  });

  it("finds a currency whose entries do not add up to zero", () => {
    const sums = [...books.sums, { currency: "RON", sum: -1n }];
    expect(found({ books: { sums } })).toEqual(["currencies out of balance"]);
  });

  it("finds an accepted payment that does not end", () => {
    const payments = [{ ...payment, status: "ACSP", isDue: true } as const];
    expect(found({ books: { payments, moves: [debit] } })).toEqual([
      "accepted payments without end",
    ]);
  });

  it("finds an acknowledged consent that is lost", () => {
    expect(found({ books: { consents: [] } })).toEqual(["acknowledged consents lost"]);
    const another = [{ ...consent, id: "c-2" }];
    expect(found({ books: { consents: another } })).toEqual(["acknowledged consents lost"]);
  });

  it("finds a consent that is not there, though its request is said to have created one", () => {
    const unseen = [{ requestId: "c-r-1", consentId: undefined }];
    expect(found({ journal: { consents: unseen } })).toEqual([]);
    const faults = found({ journal: { consents: unseen }, books: { consents: [] } });
    expect(faults).toEqual(["acknowledged consents lost"]);
  });

  it("finds a second consent for one request", () => {
    const second = { ...consent, id: "c-2" };
    const faults = found({ books: { consents: [consent, second] } });
    expect(faults).toEqual(["consents created twice"]);
  });

  it("finds a consent nobody asked for", () => {
    const other = { id: "c-2", requestId: "c-r-2" };
    const faults = found({ books: { consents: [consent, other] } });
    expect(faults).toEqual(["consents nobody asked for"]);
  });

  it("finds a request that is called a repeat, though each answer to it was heard", () => {
    const heard = { requestId: "c-r-1", consentId: undefined };
    const faults = found({ journal: { consents: [heard, heard] } });
    expect(faults).toEqual(["consents refused at once"]);
  });

  it("hands on what the TPPs found odd", () => {
    const unexpected = ["GET status: HTTP 403"];
    expect(found({ journal: { unexpected } })).toEqual(["answers no TPP should get"]);
  });
});

function nothing(): Partial<Books> {
  return { payments: [], moves: [] };
}

it("the report shows what happened, what must be 0, and a few examples of each finding", () => {
  const unexpected = Array.from({ length: 40 }, (_, at) => `HTTP 418 ${at}`);
  const tally = Object.fromEntries(Object.keys(journal.tally).map((name) => [name, 1])) as Tally;
  const flawed = outcomeOf({ journal: { unexpected, tally } });
  expect(isFlawless(flawed)).toBe(false);
  expect(isFlawless(outcomeOf({ journal: { tally } }))).toBe(true);
  const idle = { ...tally, "payments executed": 0 };
  expect(isFlawless(outcomeOf({ journal: { tally: idle } }))).toBe(false);
  const text = report("kill -9", flawed);
  for (const name of Object.keys(checks)) expect(text).toContain(name);
  expect(text).toMatch(/answers no TPP should get {2,}40\n/);
  expect(text.match(/HTTP 418 \d/g)).toHaveLength(5);
});
