import { expect, it } from "vitest";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import type { BookedPayment, Books } from "./books";
import {
  type Answer,
  checks,
  compare,
  emptyJournal,
  isFlawless,
  type Journal,
  report,
} from "./journal";

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

type Changes = { readonly journal?: Partial<Journal>; readonly books?: Partial<Books> };

function outcomeOf(changes: Changes) {
  return compare({ ...journal, ...changes.journal }, { ...books, ...changes.books });
}

const of = (change: Partial<BookedPayment>) => ({ ...payment, ...change });
const moves = (...all: Books["moves"]) => ({ books: { moves: all } });
const seen = (...statuses: readonly TransactionStatus[]) => ({
  journal: { statuses: statuses.map((status) => ({ paymentId: "p-1", status })) },
});
const answers = (change: Partial<Answer>) => ({
  journal: { answers: [answer, answer, { ...answer, ...change }] },
});
const payments = (...all: Books["payments"]) => ({ books: { payments: all } });
const consents = (...all: Books["consents"]) => ({ books: { consents: all } });
const reads = (id: string, lines: number) => ({ books: { reads: new Map([[id, lines]]) } });
const unknown = { requestId: "c-r-1", consentId: undefined };
const nobody = { authorised: [], statuses: [] };
const other = of({ id: "p-2", requestId: "r-2", status: "RCVD" });
const LOST = "acknowledged payments lost";
const MOVED = "money not moved exactly once";
const BACK = "authorised payments gone back";
const LOST_CONSENT = "acknowledged consents lost";
const UNASKED = "payments nobody asked for";
const TWICE = "payments started twice";

it.each<[what: string, findings: readonly string[], changes: Changes]>([
  ["all is well", [], {}],
  [
    "a payment never was authorised",
    [],
    {
      journal: { authorised: [], ...seen("RCVD").journal },
      books: { payments: [of({ status: "RCVD" })], moves: [] },
    },
  ],
  [
    "a payment's answer never arrived",
    [],
    {
      journal: { asked: [...asked, { requestId: "r-2", currency: "EUR", amounts: [5n] }] },
      ...payments(payment, other),
    },
  ],
  ["a payee is elsewhere", [], { books: { payments: [of({ staysHere: false })], moves: [debit] } }],
  [
    "a payee is not credited yet",
    [],
    { books: { payments: [of({ status: "ACSP" })], moves: [debit] } },
  ],
  ["an unanswered read is logged", [], reads("c-2", 3)],
  ["a consent's answer never arrived", [], { journal: { consents: [unknown] } }],
  [
    "an acknowledged payment is lost",
    [LOST],
    { journal: nobody, books: { payments: [], moves: [] } },
  ],
  [
    "there are two payments for one request",
    [TWICE, MOVED],
    payments(payment, of({ id: "p-2", status: "RJCT" })),
  ],
  ["a payment is of an unknown request", [UNASKED], payments(payment, other)],
  ["a payment is of another amount", [UNASKED, MOVED], payments(of({ amount: 6n }))],
  ["a payment is of another currency", [UNASKED], payments(of({ currency: "RON" }))],
  ["money left twice", [MOVED], moves(debit, debit, credit)],
  ["money came twice", [MOVED], moves(debit, credit, credit)],
  ["money did not leave", [MOVED], moves(credit)],
  ["money did not come", [MOVED], moves(debit)],
  ["another amount left", [MOVED], moves({ ...debit, amount: -105n }, credit)],
  ["money left for no payment", [MOVED], moves(debit, credit, { requestId: "none", amount: -1n })],
  ["money left unauthorised", [MOVED], { journal: nobody, ...payments(of({ status: "RCVD" })) }],
  ["a read is not logged", ["reads not logged once"], reads("c-2", 1)],
  ["a read is logged twice", ["reads not logged once"], reads("c-2", 4)],
  ["a read is logged for another consent", ["reads not logged once"], reads("c-3", 2)],
  ["a repeat has another status", ["repeats with another answer"], answers({ status: 200 })],
  ["a repeat has another body", ["repeats with another answer"], answers({ body: `${body} ` })],
  ["a repeat has another Location", ["repeats with another answer"], answers({ location: "else" })],
  [
    "an authorised payment is not",
    [BACK],
    { journal: { statuses: [] }, books: { payments: [of({ status: "RCVD" })], moves: [] } },
  ],
  [
    "an accepted payment is rejected",
    [BACK],
    { journal: { authorised: [] }, books: { payments: [of({ status: "RJCT" })], moves: [] } },
  ],
  ["a status went backwards", ["statuses gone backwards"], seen("ACSP", "ACCP")],
  ["a final status changed", ["statuses gone backwards"], seen("ACSC", "RJCT")],
  ["a rejected payment came back", ["statuses gone backwards"], seen("RJCT", "RCVD")],
  [
    "a currency is out of balance",
    ["currencies out of balance"],
    { books: { sums: [{ currency: "RON", sum: -1n }] } },
  ],
  [
    "an accepted payment does not end",
    ["accepted payments without end"],
    { books: { payments: [of({ status: "ACSP", isDue: true })], moves: [debit] } },
  ],
  ["an acknowledged consent is lost", [LOST_CONSENT], consents()],
  ["another consent is there", [LOST_CONSENT], consents({ ...consent, id: "c-2" })],
  [
    "a consent is missing that is said to be there",
    [LOST_CONSENT],
    { journal: { consents: [unknown] }, ...consents() },
  ],
  [
    "there are two consents for one request",
    ["consents created twice"],
    consents(consent, { ...consent, id: "c-2" }),
  ],
  [
    "nobody asked for a consent",
    ["consents nobody asked for"],
    consents(consent, { id: "c-2", requestId: "c-r-2" }),
  ],
  [
    "a first request is called a repeat",
    ["consents refused at once"],
    { journal: { consents: [unknown, unknown] } },
  ],
  [
    "an answer is unexpected",
    ["answers no TPP should get"],
    { journal: { unexpected: ["HTTP 403"] } },
  ],
])("the journal held against the books, where %s: %j", (_what, findings, changes) => {
  const found = Object.entries(outcomeOf(changes).findings);
  expect(found.flatMap(([name, all]) => (all.length > 0 ? [name] : []))).toEqual(findings);
});

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
